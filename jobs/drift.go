package jobs

import (
	"cmp"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/correlation"
)

// previousScores is what a run keeps for the next one to compare with.
type previousScores struct {
	// Run that has written them; "" in files of earlier versions.
	Run      string
	On       connector.Entity
	Property string
	IDs      export.IDs
	Values   []float64
}

// mostCompared is the number of scores of a property beyond which they are not compared: sorting them would take longer
// than it is worth.
const mostCompared = 20_000_000

func (s state) previous() string { return filepath.Join(s.dir, "previous.gob.gz") }

func (s state) savePrevious(all []previousScores) (err error) {
	f, err := os.CreateTemp(s.dir, "previous-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := cmp.Or(gob.NewEncoder(z).Encode(all), z.Close(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), s.previous())
}

// loadPrevious returns the scores of the given run; nothing when the last run here was another one.
func (s state) loadPrevious(run string) ([]previousScores, error) {
	f, err := os.Open(s.previous())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", s.previous(), err)
	}
	var all []previousScores
	if err := gob.NewDecoder(z).Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", s.previous(), err)
	}
	return slices.DeleteFunc(all, func(p previousScores) bool { return p.Run != "" && p.Run != run }), nil
}

// compareScores adds to the summary how the scores of entities changed that are in both runs.
func compareScores(s *connector.ScoreSummary, values []float64, ids export.IDs, before previousScores) {
	if max(len(values), len(before.Values)) > mostCompared || ids.Len() != len(values) ||
		before.IDs.Len() != len(before.Values) {
		return
	}
	var places []int // of the entities in both, and their scores
	var old, now []float64
	match(ids, before.IDs, func(i, k int) {
		if x, y := values[i], before.Values[k]; !math.IsNaN(x-x) && !math.IsNaN(y-y) {
			places, now, old = append(places, i), append(now, x), append(old, y)
		}
	})
	s.Compared = int64(len(places))
	if rho := correlation.Spearman(old, now); !math.IsNaN(rho) {
		s.Rank = &rho
	}
	change := make([]float64, len(places))
	for i := range places {
		change[i] = math.Abs(now[i] - old[i])
	}
	for _, i := range highest(change, listed) {
		if change[i] > 1e-9*max(math.Abs(now[i]), math.Abs(old[i])) {
			s.Movers = append(s.Movers, connector.Mover{ID: ids.String(places[i]), Before: old[i], After: now[i]})
		}
	}
}

// match calls f with the places of every id that stands in both.
func match(a, b export.IDs, f func(i, k int)) {
	if a.Texts != nil && b.Texts != nil {
		matchKeys(a.Texts, b.Texts, f)
		return
	}
	matchKeys(a.Ints, b.Ints, f)
}

func matchKeys[K comparable](a, b []K, f func(i, k int)) {
	at := make(map[K]int, len(b))
	for k, id := range b {
		at[id] = k
	}
	for i, id := range a {
		if k, ok := at[id]; ok {
			f(i, k)
		}
	}
}
