package jobs

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Merger is an engine that joins the parts of a run that other processes computed.
type Merger struct {
	Parter
	Files []*parts.File
	// Complete allows it to compute the parts that are missing, or can no longer be read.
	Complete bool
	// Mixed allows parts of several kinds of GPU.
	Mixed bool
	// Note, if not nil, is called with what is computed.
	Note func(text string)
	// Computed are the numbers of the parts that it computed.
	Computed []int

	joined int // tasks
}

// merges reports whether the run joins parts.
func (r *run) merges() bool {
	_, merges := r.Engine.(*Merger)
	return merges
}

// Rank implements Engine. A part is in memory next to what the computation needs.
func (m *Merger) Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error) {
	largest := slices.MaxFunc(m.Files, func(a, b *parts.File) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	return m.Parter.Rank(ctx, t, free-largest.Bytes())
}

// Compute implements Engine. Tasks come in the order of the files.
func (m *Merger) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	first := m.Files[0]
	if digest := t.Snapshot.Digest(); digest != first.Graph {
		return nil, &parts.Error{
			Msg: fmt.Sprintf("%s is of the graph %s, and this graph is %s: it changed, or is another one",
				first.Path, first.Graph, digest),
			Hint: "merge with the graph that the parts were computed of (--graph), or compute the parts again",
		}
	}
	if m.joined >= len(first.Tasks) {
		return nil, &parts.Error{
			Msg:  fmt.Sprintf("%s has no part of %s", first.Path, t.Measure),
			Hint: "compute the parts again with the job as it is now",
		}
	}
	number, by := m.joined, first.Tasks[m.joined].By
	if m.Mixed && by.OnGPU() {
		by.Device = ""
	}
	t.Way = &by
	p, err := m.Part(ctx, t)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := m.checkTask(parts.TaskOf(t.Measure, p.Request, first.Tasks[number].By), number); err != nil {
		return nil, err
	}
	m.joined++
	out, err := p.Finish(ctx, first.Of, m.found(ctx, p, number))
	if err != nil {
		return nil, needsDevice(err, first.Tasks[number].By)
	}
	if text := parts.Mixed(m.Files); text != "" {
		out.Remark = text
	}
	return out, nil
}

// checkTask reports a task that the parts are not of.
func (m *Merger) checkTask(t parts.Task, number int) error {
	first := m.Files[0]
	own, theirs := []parts.Task{t}, first.Tasks[number:number+1]
	if parts.OptionsOf(own) == parts.OptionsOf(theirs) {
		return nil
	}
	return &parts.Error{
		Msg: fmt.Sprintf("%s was computed with other options: %s", first.Path, parts.Difference(theirs, own)),
		Hint: "compute the parts again with these options; if reduce differs, a machine had too little memory for " +
			"reductions: give all --reduce off",
	}
}

// found returns what each part found for a task, in the order of the parts.
func (m *Merger) found(ctx context.Context, p *engine.Parted, number int) iter.Seq2[*parts.Found, error] {
	files := map[int]*parts.File{}
	for _, f := range m.Files {
		files[f.Index] = f
	}
	of := m.Files[0].Of
	return func(yield func(*parts.Found, error) bool) {
		for i := range of {
			found, err := m.read(files[i], number)
			if found == nil && err == nil {
				m.complete(i)
				found, err = p.Shard(ctx, kernels.Shard{Index: i, Of: of}, parts.Step{})
			}
			if !yield(found, err) {
				return
			}
		}
	}
}

// read reads what a part found for a task; nil for a part that is to be computed.
func (m *Merger) read(f *parts.File, number int) (*parts.Found, error) {
	if f == nil {
		return nil, nil
	}
	found, err := f.Found(number)
	if err != nil && m.Complete {
		m.note("%v", err)
		return nil, nil
	}
	return found, err
}

// complete notes that a part is computed here.
func (m *Merger) complete(i int) {
	m.note("part %d of %d is missing and is computed here", i, m.Files[0].Of)
	if !slices.Contains(m.Computed, i) {
		m.Computed = append(m.Computed, i)
	}
}

func (m *Merger) note(format string, args ...any) {
	if m.Note != nil {
		m.Note(fmt.Sprintf(format, args...))
	}
}

// needsDevice explains the error of a machine that has no device to make scores with.
func needsDevice(err error, by parts.Way) error {
	if r, _ := engine.ReasonOf(err); !r.Missing() {
		return err
	}
	return &parts.Error{
		Msg:  fmt.Sprintf("the parts are of a GPU, and leave work to one: parts that are missing, reductions to undo, or sources to search again: %v", err),
		Hint: fmt.Sprintf("repeat the merge on a machine with %s; it needs no GPU for a whole set of parts of --reduce off that left no sources", by.Device),
		Err:  err,
	}
}
