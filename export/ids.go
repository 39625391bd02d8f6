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

// Pick returns the ids at these places.
func (s IDs) Pick(places ...int32) IDs {
	out := s.empty(len(places))
	for _, i := range places {
		if s.Texts != nil {
			out.Texts = append(out.Texts, s.Texts[i])
		} else {
			out.Ints = append(out.Ints, s.Ints[i])
		}
	}
	return out
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
