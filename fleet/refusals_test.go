package fleet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// send sends a request as a node would.
func (r *rig) send(method, path string, body io.Reader) (int, string) {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+path, body)
	if err != nil {
		r.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// taken takes a shard by hand.
func (r *rig) taken() fleet.Lease {
	r.t.Helper()
	hello, err := json.Marshal(fleet.Hello{ID: "x", Name: "x", Program: build, Device: parts.CPU, OnCPU: true,
		Wait: 5 * time.Second})
	if err != nil {
		r.t.Fatal(err)
	}
	var l fleet.Lease
	for range 20 {
		status, text := r.send(http.MethodPost, fleet.TakePath, bytes.NewReader(hello))
		if status == http.StatusOK {
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				r.t.Fatal(err)
			}
			return l
		}
	}
	r.t.Fatal("no shard")
	return l
}

// TestAlteredParts: a part that was altered, or is of something else, is refused with the reason, and the run gets
// right scores.
func TestAlteredParts(t *testing.T) {
	r := newRig(t, nil)
	task := taskOf("betweenness", aGraph(t, 400), true)
	want := onOneMachine(t, task)
	done := make(chan *engine.Outcome, 1)
	go func() {
		out, err := r.engine.Compute(t.Context(), task)
		if err != nil {
			t.Error(err)
		}
		done <- out
	}()
	l := r.taken()
	session := engine.NewSession()
	defer session.Close()
	alone := task
	alone.Nodes = 0
	p, err := session.Part(t.Context(), alone)
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Shard(t.Context(), l.Shard, parts.Step{})
	if err != nil {
		t.Fatal(err)
	}
	tasks := []parts.Task{parts.TaskOf(task.Measure, p.Request, found.By)}
	right := parts.About{
		Program: build, Graph: task.Snapshot.Digest(), Tasks: tasks, Options: parts.OptionsOf(tasks), Index: l.Shard.Index,
		Of: l.Shard.Of, Told: []parts.Told{found.Told},
	}
	path := fleet.PartPath + fmt.Sprintf("?run=%s&session=%s&number=%d&node=x", l.Run, l.Session, l.Number)
	file := func(change func(*parts.About)) []byte {
		about, name := right, filepath.Join(t.TempDir(), "part")
		change(&about)
		if err := parts.Write(name, about, []*parts.Found{found}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := file(func(*parts.About) {})
	bit := bytes.Clone(same)
	bit[len(bit)/2] ^= 1
	for what, c := range map[string]struct {
		body []byte
		why  string
	}{
		"a changed bit":    {bit, "damaged"},
		"cut off":          {same[:len(same)-1], "damaged"},
		"nothing":          {nil, "damaged"},
		"no part":          {[]byte("scores, honestly"), "damaged"},
		"of another build": {file(func(a *parts.About) { a.Program.Version = "2" }), "was computed by linchpin 2"},
		"of another graph": {file(func(a *parts.About) { a.Graph = "d2" }), "of the graph d2"},
		"with other options": {file(func(a *parts.About) {
			a.Tasks = []parts.Task{{Measure: "stress"}}
			a.Options = parts.OptionsOf(a.Tasks)
		}), "other options"},
		"of a shard too many": {file(func(a *parts.About) { a.Index = a.Of }), "there is no part"},
	} {
		if status, text := r.send(http.MethodPut, path, bytes.NewReader(c.body)); status != http.StatusUnprocessableEntity ||
			!strings.Contains(text, c.why) {
			t.Errorf("%s: %d %s", what, status, text)
		}
	}
	late, rest := io.Pipe()
	tardy := make(chan int, 1)
	go func() {
		status, _ := r.send(http.MethodPut, path, late)
		tardy <- status
	}()
	if _, err := rest.Write(same[:len(same)/2]); err != nil {
		t.Fatal(err)
	}
	if status, text := r.send(http.MethodPut, path, bytes.NewReader(same)); status != http.StatusOK ||
		!strings.Contains(text, "true") {
		t.Errorf("the right part: %d %s", status, text)
	}
	if status, text := r.send(http.MethodPut, path, bytes.NewReader(same)); status != http.StatusOK &&
		status != http.StatusGone || strings.Contains(text, "true") {
		t.Errorf("the same part twice: %d %s", status, text)
	}
	r.join("honest", nil)
	if out := <-done; out != nil {
		sameBits(t, "after refusals", out.Scores, want)
	}
	_, _ = rest.Write(same[len(same)/2:]) // unless it is answered already
	rest.Close()
	if status := <-tardy; status != http.StatusGone {
		t.Errorf("a part that arrives while the run ends: %d", status)
	}
}

// TestNodesThatCannotHelp: without memory for the graph, with too small a cache, or of another build.
func TestNodesThatCannotHelp(t *testing.T) {
	r := newRig(t, nil)
	task := taskOf("betweenness", aGraph(t, 300), false)
	task.Nodes = engine.AnyNodes
	want := onOneMachine(t, task)
	r.join("small", func(o *node.Options) { o.Memory = func() (int64, error) { return 1 << 10, nil } })
	r.join("full", func(o *node.Options) { o.CacheBytes = 1 << 10 })
	stranger := r.join("stranger", func(o *node.Options) { o.Program.Processor = "big-endian" })
	time.Sleep(300 * time.Millisecond)
	out, err := r.engine.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "by this machine", out.Scores, want)
	if !strings.Contains(out.Reason, "the coordinator") {
		t.Errorf("computed %s", out.Reason)
	}
	refused := (*node.Refused)(nil)
	if err := stranger(); !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		t.Errorf("a node of another byte order: %v", err)
	}
}

// TestTwoCoordinators: one run and one folder have one coordinator.
func TestTwoCoordinators(t *testing.T) {
	r := newRig(t, nil)
	task := taskOf("betweenness", aGraph(t, 300), false)
	began := make(chan struct{})
	task.Request.Progress = func(int, int) {
		select {
		case <-began:
		default:
			close(began)
		}
	}
	first := make(chan error, 1)
	go func() {
		_, err := r.engine.Compute(t.Context(), task)
		first <- err
	}()
	<-began
	task.Request.Progress = nil
	if _, err := r.engine.Compute(t.Context(), task); err == nil ||
		!strings.Contains(err.Error(), "another process coordinates this run") {
		t.Errorf("the second one: %v", err)
	}
	r.join("a", nil)
	if err := <-first; err != nil {
		t.Errorf("the first one: %v", err)
	}
}

// TestClocksOfNodesAreNotUsed: nothing that a node and the coordinator send each other has a time of day, so clocks may
// differ.
func TestClocksOfNodesAreNotUsed(t *testing.T) {
	var look func(path string, x reflect.Type)
	look = func(path string, x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			look(path, x.Elem())
		case reflect.Struct:
			if x == reflect.TypeFor[time.Time]() {
				t.Errorf("%s is a time of day", path)
				return
			}
			for i := range x.NumField() {
				look(path+"."+x.Field(i).Name, x.Field(i).Type)
			}
		}
	}
	for _, x := range []any{fleet.Hello{}, fleet.Lease{}, fleet.Claim{}, fleet.Accepted{}, fleet.Problem{},
		fleet.Work{}, parts.About{}} {
		look(reflect.TypeOf(x).Name(), reflect.TypeOf(x))
	}
}
