package reduce

import (
	"context"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// foldChunk is how many sources are a unit of work of DistanceFolds, so that small cores stay on one thread.
const foldChunk = 64

// coreFolds are the units from first to last of a core.
type coreFolds struct{ core, first, last int }

// foldSearch is one call of Search.
type foldSearch struct {
	*DistanceFolds
	run  *pieces.Run
	into []float64
}

// Search folds, for a part of the nodes of all cores, their distances to the other nodes of their core and to what
// hangs from these, without the core's top. It adds them to Folds numbers; those of other parts stay as they are. The
// error is the context's.
func (f *DistanceFolds) Search(ctx context.Context, part Part, into []float64) error {
	stop := stopper.New(ctx)
	defer stop.Release()
	o := f.reduced.options
	s := &foldSearch{f, pieces.NewRun(stop, o.Threads, o.Progress), into}
	var alone, large []coreFolds
	for _, p := range f.ofPart(part) {
		s.run.Expect(min(p.last*foldChunk, f.sources(p.core))-p.first*foldChunk, f.reduced.cores[p.core].LinkCount)
		if f.sources(p.core) <= foldChunk {
			alone = append(alone, p)
		} else {
			large = append(large, p)
		}
	}
	for _, p := range large {
		s.fold(p)
	}
	s.run.Each(len(alone), func(int) func(int) { return func(i int) { s.fold(alone[i]) } })
	return stop.Err()
}

// sources is how many nodes of a core are searched from: all but its top.
func (f *DistanceFolds) sources(core int) int { return len(f.reduced.cores[core].Nodes) - 1 }

// ofPart returns the units of a part, by core.
func (f *DistanceFolds) ofPart(part Part) []coreFolds {
	units := func(core int) int { return (f.sources(core) + foldChunk - 1) / foldChunk }
	all := 0
	for core := range f.reduced.cores {
		all += units(core)
	}
	var out []coreFolds
	first, last := part(all)
	begin := 0
	for core := range f.reduced.cores {
		end := begin + units(core)
		if from, to := max(first, begin), min(last, end); from < to {
			out = append(out, coreFolds{core, from - begin, to - begin})
		}
		begin = end
	}
	return out
}

func (s *foldSearch) fold(p coreFolds) {
	if s.reduced.cores[p.core].FitsInt32(s.run.Stopped) {
		foldAs[int32](s, p)
	} else {
		foldAs[int64](s, p)
	}
}

func foldAs[T cores.Distance](s *foldSearch, p coreFolds) {
	c, first, top := &s.reduced.cores[p.core], s.first[p.core], s.top[p.core]
	problem, inside := cores.NewProblem[T](c), make([]float64, len(c.Nodes))
	for i, v := range c.Nodes {
		inside[i] = s.down[v]
	}
	s.run.Each(p.last-p.first, func(int) func(int) {
		search, row := cores.NewSearch(problem, s.run.Stopped), cores.NewRow[T](len(c.Nodes))
		return func(i int) {
			from := (p.first + i) * foldChunk
			to := min(from+foldChunk, s.sources(p.core))
			for a := int32(from); a < int32(to); a++ {
				source := a
				if a >= top {
					source++
				}
				if !search.From(source, row) {
					return
				}
				s.into[first+int(source)] += foldRow(s.how, c, row.Dist, inside, source, top)
			}
			s.run.Done(to-from, c.LinkCount)
		}
	})
}

// foldRow folds the distances of a source to all other nodes but the top, and to those that they stand for, as
// Fold.Shift and Fold.Join do. Each fold has a loop of its own, for speed.
func foldRow[T cores.Distance](
	how closeness.Fold, c *cores.Core, dist []T, inside []float64, source, top int32,
) float64 {
	fold := 0.0
	if how == closeness.Greatest {
		for w, d := range dist {
			if int32(w) != source && int32(w) != top {
				fold = max(fold, float64(d)+inside[w])
			}
		}
		return fold
	}
	for w, d := range dist {
		if int32(w) != source && int32(w) != top {
			fold += c.Omega[w]*float64(d) + inside[w]
		}
	}
	return fold
}
