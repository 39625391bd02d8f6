// Neo4jserver starts a real Neo4j Community for the demonstration and prints its address. It ends, and the server with
// it, when its input closes or on Ctrl-C; with -keep the server stays when this program ends.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

func main() {
	var o neo4jtest.Options
	uriFile := flag.String("uri-file", "", "`file` to write the server's address to as well")
	flag.BoolVar(&o.Keep, "keep", false, "leave the server running and print how to stop it")
	flag.StringVar(&o.Home, "home", "", "`folder` of the server's data, which stays; default a temporary one")
	flag.StringVar(&o.Password, "password", "", "password of the user neo4j; default a server without authentication")
	flag.StringVar(&o.Heap, "heap", "", "size of the Java heap, such as 2g; default 512m")
	flag.BoolVar(&o.FullJIT, "full-jit", false, "let the optimising compiler run, for measurements")
	flag.BoolVar(&o.GDS, "gds", false, "install the Graph Data Science library, to compare linchpin with it")
	imports := flag.String("import", "", "`folder` of files that LOAD CSV may read")
	flag.Parse()
	if *imports != "" {
		o.Conf = map[string]string{"server.directories.import": *imports}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, o, *uriFile); err != nil {
		fmt.Fprintln(os.Stderr, "neo4jserver:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, o neo4jtest.Options, uriFile string) error {
	s, err := neo4jtest.Start(ctx, o)
	if err != nil {
		return err
	}
	if uriFile != "" {
		if err := os.WriteFile(uriFile, []byte(s.URI()+"\n"), 0o644); err != nil {
			return err
		}
	}
	fmt.Println(s.URI())
	if o.Keep {
		fmt.Printf("Neo4j %s stays, with its data in %s. Stop it: kill %d\n", neo4jtest.Version, s.Home(), s.PID())
		return nil
	}
	closed := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(closed)
	}()
	select {
	case <-ctx.Done():
	case <-closed:
	}
	return s.Close()
}
