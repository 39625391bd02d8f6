package neo4jtest

import (
	"io"
	"net"
	"testing"
)

// Speaking starts a server, not Neo4j, that says one thing to everybody and hangs up.
func Speaking(t *testing.T, text string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(c, make([]byte, 20)) // a Bolt client's first words
			_, _ = io.WriteString(c, text)
			c.Close()
		}
	}()
	return l.Addr().String()
}
