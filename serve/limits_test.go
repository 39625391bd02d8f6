package serve

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// manyRuns makes n copies of a job's last run, as records of the job "past".
func manyRuns(t *testing.T, f *fixture, n int, query func(cypher string, parameters map[string]any)) {
	t.Helper()
	f.ended(f.press("a"))
	query("MATCH (r:LinchpinRun {job: 'a'}) WITH r LIMIT 1 UNWIND range(1, $n) AS i CREATE (c:LinchpinRun) "+
		"SET c = r {.*, id: 'past' + i, job: 'past', started: r.started + duration({seconds: i})}", map[string]any{"n": n})
}

// ask sends a request on a connection of its own and reads nothing.
func (f *fixture) ask(path string) net.Conn {
	f.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4096) // so that the kernel holds little of the answer
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
	return conn
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// pastRuns reads the records of "past" and returns the length of the answer.
func (f *fixture) pastRuns() int {
	f.t.Helper()
	_, text := f.get("/api/jobs/past/runs?limit=1000")
	var runs []connector.Run
	if err := json.Unmarshal([]byte(text), &runs); err != nil || len(runs) != mostRuns || runs[0].ID != "past1000" ||
		runs[999].ID != "past1" {
		f.t.Fatalf("%d runs, %v", len(runs), err)
	}
	return len(text)
}

// Clients that ask for much and read nothing cost little memory, keep nobody else out, and are cut off.
func TestSlowReaders(t *testing.T) {
	const readers = 150
	server := fill(t, 60)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	manyRuns(t, f, mostRuns, func(cypher string, parameters map[string]any) { server.Query(t, cypher, parameters) })
	size := f.pastRuns()
	before := heap()
	var connections []net.Conn
	for range readers {
		connections = append(connections, f.ask("/api/jobs/past/runs?limit=1000"))
	}
	most := int64(0)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		most = max(most, heap()-before)
		for _, path := range []string{"/healthz", "/", "/api/jobs/past/runs?limit=20"} {
			if status, text := f.get(path); status != 200 {
				t.Fatalf("%s: %d %s", path, status, text)
			}
		}
	}
	if t.Logf("%d MB for %d readers", most>>20, readers); most > 30<<20 {
		t.Errorf("%d MB for readers", most>>20)
	}
	f.await("cut off", func() bool { // with nobody reading, an answer that goes on would wait for ever
		stacks := make([]byte, 4<<20)
		return !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("listRuns"))
	})
	for i, conn := range connections {
		_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		if n, err := io.Copy(io.Discard, conn); !errors.Is(err, syscall.ECONNRESET) || n > int64(size/2) {
			t.Fatalf("reader %d got %d bytes, and %v", i, n, err)
		}
	}
}

// However many connections are open, a new one is answered: it takes the place of the one that has been quiet for
// longest.
func TestConnectionsAreBounded(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token)
	healthy := func(conn net.Conn) error {
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && r.StatusCode != 200 {
			err = errors.New(r.Status)
		}
		return err
	}
	const more = 50
	var open []net.Conn
	for i := range mostConnections + more {
		conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
		if err == nil {
			defer conn.Close()
			open = append(open, conn)
			err = healthy(conn)
		}
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	var closed atomic.Int64
	var wait sync.WaitGroup
	for _, conn := range open {
		wait.Go(func() {
			_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
			if _, err := conn.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				closed.Add(1)
			}
		})
	}
	wait.Wait()
	if n := closed.Load(); n != more {
		t.Errorf("%d connections were closed, want %d", n, more)
	}
	if err := healthy(open[len(open)-1]); err != nil {
		t.Errorf("the newest connection: %v", err)
	}
}

// A stream of events outlives the deadline of a single event, over HTTP/2 as well.
func TestQuietEventsGoOn(t *testing.T) {
	folder := t.TempDir()
	pool := certified(t, folder)
	f := startWithoutDatabase(t, fmt.Sprintf("token: %s, certificate: %q, key: %q", token,
		filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool},
		ForceAttemptHTTP2: true}}
	response, err := client.Get(strings.Replace(f.url, "http:", "https:", 1) + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.ProtoMajor != 2 {
		t.Fatal(response.Proto)
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), ": alive") {
			return
		}
	}
	t.Errorf("the stream ended before a sign of life: %v", lines.Err())
}

// A stream ends when what allowed it does.
func TestEventsEndWithTheSession(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token+", read: token")
	_, cookie := f.signIn(token)
	r, err := http.NewRequestWithContext(t.Context(), "GET", f.url+"/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", cookie)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	ended := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, stream.Body); close(ended) }()
	f.with(cookie, "POST", "/logout")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the stream goes on")
	}
}
