package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Namer is a Database that knows what people call entities.
type Namer interface {
	// NodeNames returns a name for each node that has one, in the order of the ids; "" for the others. A property that the
	// user chose, caption, is preferred; "" for none.
	NodeNames(ctx context.Context, ids export.IDs, caption string) ([]string, error)
}

// Locator is a Database that knows where on Earth nodes are.
type Locator interface {
	// NodePlaces returns the place of each node that has one, in the order of the ids; nil for the others. by are the
	// properties to look at; empty for those that are common.
	NodePlaces(ctx context.Context, ids export.IDs, by connector.Coordinates) ([]*connector.Place, error)
}

// Shower is a Database that knows how to look at nodes.
type Shower interface {
	// ShowNodes returns a query that returns the nodes with these ids.
	ShowNodes(ctx context.Context, ids export.IDs) string
}

// listed is the number of entities in lists of the highest and of those that moved.
const listed = 10

// summarize describes the scores in the record, and compares them with those of the run before. It never fails a run:
// what it cannot do it notes.
func (r *run) summarize(ctx context.Context) {
	before, err := r.state.loadPrevious(r.before.Run)
	if err != nil {
		r.Reporter.Note(fmt.Sprintf("the scores are not compared with those of the run before: %v", err))
	}
	for _, c := range r.columns {
		ids := idsFor(r.snapshot, c.On)
		s := describeColumn(r.snapshot, c)
		for _, p := range before {
			if p.On == c.On && p.Property == c.Property && !c.Groups {
				compareScores(&s, c.Values, ids, p)
			}
		}
		r.record.Scores = append(r.record.Scores, s)
	}
	r.record.Around = pictureOf(r.snapshot, r.columns)
	r.nameEntries(ctx)
	r.locate(ctx)
}

// keepScores keeps the scores that were published, for the next run to compare with.
func (r *run) keepScores() {
	if r.options.NoWrite {
		return
	}
	var keep []previousScores
	for _, c := range r.columns {
		keep = append(keep, previousScores{
			Run: r.record.ID, On: c.On, Property: c.Property, IDs: idsFor(r.snapshot, c.On), Values: c.Values,
		})
	}
	if err := r.state.savePrevious(keep); err != nil {
		r.Reporter.Note(fmt.Sprintf("the next run will have nothing to compare with: %v", err))
	}
}

// describeScores is everything about one column that needs no other run.
func describeScores(c connector.Column, ids export.IDs) connector.ScoreSummary {
	s := connector.ScoreSummary{On: c.On, Property: c.Property, Digest: scoreDigest(c.Values, ids)}
	if c.Groups {
		describeGroups(&s, c.Values)
		return s
	}
	describeValues(&s, c.Values)
	for _, i := range highest(c.Values, listed) {
		s.Top = append(s.Top, connector.Ranked{ID: idOf(ids, i), Score: c.Values[i]})
	}
	return s
}

// describeValues sets how many values are finite, their range, mean and distribution.
func describeValues(s *connector.ScoreSummary, values []float64) {
	s.Min, s.Max = math.Inf(1), math.Inf(-1)
	sum := 0.0
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) { // the logarithm of 0
			continue
		}
		s.Count++
		s.Min, s.Max = min(s.Min, x), max(s.Max, x)
		sum += x / float64(len(values)) // in parts: the sum may be too large for a number
	}
	if s.Count == 0 {
		s.Min, s.Max = 0, 0
		return
	}
	s.Mean = sum * float64(len(values)) / float64(s.Count)
	if math.IsInf(s.Mean, 0) {
		s.Mean = s.Max
	}
	s.Histogram = histogramOf(values, s.Min, s.Max)
	s.Logarithms = logHistogramOf(values, s.Min, s.Max)
}

// idOf names an entity; a file's relationships are rows and have no ids.
func idOf(ids export.IDs, i int) string {
	if ids.Len() == 0 {
		return fmt.Sprint(i)
	}
	return ids.String(i)
}

func scoreDigest(values []float64, ids export.IDs) string {
	h := sha256.New()
	var b [8]byte
	for i, x := range values {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
		if ids.Ints != nil {
			binary.LittleEndian.PutUint64(b[:], uint64(ids.Ints[i]))
			h.Write(b[:])
		} else if ids.Texts != nil {
			fmt.Fprintf(h, "%d:%s", len(ids.Texts[i]), ids.Texts[i])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:32]
}

// highest returns the places of the n highest finite values, the highest first; of equal ones the first.
func highest(values []float64, n int) []int {
	var top []int
	for i, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) || len(top) == n && x <= values[top[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, x, func(k int, x float64) int {
			if values[k] >= x {
				return -1
			}
			return 1
		})
		top = slices.Insert(top, at, i)
		if len(top) > n {
			top = top[:n]
		}
	}
	return top
}
