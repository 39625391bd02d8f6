package faults

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

// readers are the statements that linchpin documents for the job, each with columns of ours in place of the example.
func (j job) readers() (nodes, arcs, both string) {
	bc, ebc := j.mode+"_bc", j.mode+"_ebc"
	p := connector.Projection{NodeQuery: "-", Relationships: []connector.Relationship{{Type: "E"}}}
	r := neo4j.ReadersOf(j.name(), connector.Mode(j.mode), p, []string{bc}, []string{ebc})
	return returning(r.Nodes, "n.i, "+bc), returning(r.Relationships, "r.k, "+ebc),
		returning(r.Both, fmt.Sprintf("r.k, r_%s, source.i, source_%s, target.i, target_%[2]s", ebc, bc))
}

// returning puts columns in place of those of a documented statement.
func returning(statement, columns string) string {
	view, _, found := strings.Cut(statement, "\n}\nRETURN ")
	if !found {
		return "" // none of this kind under this mode
	}
	return view + "\n}\nRETURN " + columns
}

// read reads the scores that the job shows, as its documentation says.
func (r *rig) read(j job) scores {
	r.t.Helper()
	nodes, arcs, _ := j.readers()
	return scores{nodes: column(r.cypher(nodes, nil)), arcs: column(r.cypher(arcs, nil))}
}

func column(rows [][]any) map[int]float64 {
	m := map[int]float64{}
	for _, row := range rows {
		i, _ := row[0].(int64)
		m[int(i)], _ = row[1].(float64)
	}
	return m
}

// reading is a reader who looks at a job's scores all the time.
type reading struct {
	stop  chan struct{}
	done  chan struct{}
	wrong []string
}

// watch starts a reader, who has to see all of the old scores, or all of the new ones, and never the old ones again.
// Scores in place make no such promise, and nobody looks.
func (r *rig) watch(j job, old, new scores) *reading {
	w := &reading{stop: make(chan struct{}), done: make(chan struct{})}
	if j.mode == "inplace" {
		close(w.done)
		return w
	}
	_, _, both := j.readers()
	exist := map[int]bool{}
	for k := range r.model.arcs {
		exist[k] = true
	}
	go func() {
		defer close(w.done)
		seenNew, pause := false, 20*time.Millisecond
		for {
			select {
			case <-w.stop:
				return
			case <-time.After(pause):
			}
			begun := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			rows, err := r.readOnce(ctx, both)
			cancel()
			// the server has other things to do, too
			pause = min(max(20*time.Millisecond, time.Since(begun)), 200*time.Millisecond)
			if err != nil { // it is away
				continue
			}
			*r.looks++
			isNew, isOld := new.shows(rows, exist), old.shows(rows, exist)
			switch {
			case isNew == "":
				seenNew = true
			case isOld == "" && seenNew:
				w.wrong = append(w.wrong, "a reader saw the old scores after the new ones")
			case isOld != "":
				w.wrong = append(w.wrong, fmt.Sprintf("a reader saw mixed scores: not the old ones (%s), not the new ones (%s)",
					isOld, isNew))
			}
		}
	}()
	return w
}

// end stops the reader, and says what was wrong.
func (w *reading) end() []string {
	close(w.stop)
	<-w.done
	return w.wrong[:min(len(w.wrong), 3)]
}

// shows says how rows of relationships with their ends differ from the scores; "" when all is theirs and nothing lacks.
// exist are the relationships that there are now.
func (s scores) shows(rows [][]any, exist map[int]bool) string {
	want := 0
	for k := range s.arcs {
		if exist[k] {
			want++
		}
	}
	if len(rows) != want {
		return fmt.Sprintf("%d relationships with a score, not %d", len(rows), want)
	}
	for _, row := range rows {
		for at, of := range []map[int]float64{s.arcs, s.nodes, s.nodes} {
			i, _ := row[2*at].(int64)
			x, _ := row[2*at+1].(float64)
			if d := differ([]string{"relationship", "source", "target"}[at], map[int]float64{int(i): x},
				only(of, int(i))); d != "" {
				return d
			}
		}
	}
	return ""
}

func only(of map[int]float64, i int) map[int]float64 {
	if x, there := of[i]; there {
		return map[int]float64{i: x}
	}
	return nil
}
