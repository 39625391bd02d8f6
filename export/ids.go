package export

import "strconv"

// IDs names nodes or relationships as their source names them: by integers or by texts. At most one slice is set.
type IDs struct {
	Ints  []int64
	Texts []string
}

// Len returns how many there are.
func (s IDs) Len() int { return len(s.Ints) + len(s.Texts) }

// String returns the i-th as text.
func (s IDs) String(i int) string {
	if s.Texts != nil {
		return s.Texts[i]
	}
	return strconv.FormatInt(s.Ints[i], 10)
}

// sameKind says whether both hold integers, both texts, or both nothing.
func (s IDs) sameKind(o IDs) bool {
	return (len(s.Ints) > 0) == (len(o.Ints) > 0) && (len(s.Texts) > 0) == (len(o.Texts) > 0)
}

// empty returns no ids, with room for n of the same kind.
func (s IDs) empty(n int) IDs {
	if s.Texts != nil {
		return IDs{Texts: make([]string, 0, n)}
	} else if s.Ints != nil {
		return IDs{Ints: make([]int64, 0, n)}
	}
	return IDs{}
}

// less orders two entries of the same IDs.
func (s IDs) less(i, j int32) bool {
	if s.Texts != nil {
		return s.Texts[i] < s.Texts[j]
	}
	return s.Ints[i] < s.Ints[j]
}

func (s IDs) equal(i, j int32) bool { return !s.less(i, j) && !s.less(j, i) }

// pick returns the entries at the given places, in their order.
func (s IDs) pick(at []int32) IDs {
	var out IDs
	if s.Texts != nil {
		out.Texts = gather(s.Texts, at)
	} else if s.Ints != nil {
		out.Ints = gather(s.Ints, at)
	}
	return out
}

func gather[T any](column []T, at []int32) []T {
	out := make([]T, len(at))
	for i, j := range at {
		out[i] = column[j]
	}
	return out
}
