package kernels

import (
	"github.com/linchpin-graph/linchpin/export"
)

// EdgeForm is how the score of an edge is made of a folded sum and from how many sources it was folded, for devices; the order is
// that of the numbers in kernels/hops/hops.cu.
type EdgeForm int64

// The forms, with scale and others as EdgeFormOf returns them; what is divided by 0 is 0.
const (
	CountBySum        EdgeForm = iota // count / sum
	WassermanAndFaust                 // count / sum * (count * scale / others)
	OneBySum                          // 1 / (sum * scale)
	SumByOthers                       // sum * scale / others
	JustSum                           // sum * scale
)

// EdgeFormOf returns the form of a measure of the closeness family, the number by which a sample is scaled up, and how many sources there
// could be.
func EdgeFormOf(measure string, g *export.Graph, r Request) (form EdgeForm, scale, others float64) {
	m, _ := known(measure)
	scale, others = sampleScale(r), float64(g.N()-2)
	switch fold := m.fold.kind; {
	case m.fold.inverted:
		return OneBySum, 1, others
	case m.fold.isLength:
		return JustSum, 1, others
	case fold == FoldInverse && r.Normalized != nil && !*r.Normalized:
		return JustSum, scale, others
	case fold == FoldInverse:
		return SumByOthers, scale, others
	case r.Variant == WassermanFaust:
		return WassermanAndFaust, scale, others
	case r.Variant == Classic:
		return OneBySum, scale, others
	}
	return CountBySum, scale, others
}
