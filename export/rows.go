package export

import (
	"cmp"
	"slices"
)

// sorter orders the relationships of one node after another; its slices are used again for each.
type sorter struct {
	*columns
	duplicates bool     // some relationship was met twice
	keys       []uint64 // target, and place in the row
	int32s     []int32
	int64s     []int64
	uint16s    []uint16
	floats     []float64
	texts      []string
}

// sortRow orders the relationships from low to high, which leave one node, by target, group and id (or position).
func (s *sorter) sortRow(low, high int64) {
	s.keys = s.keys[:0]
	ascending := true
	for i := low; i < high; i++ {
		s.keys = append(s.keys, uint64(uint32(s.target[i]))<<32|uint64(i-low))
		ascending = ascending && (i == low || s.target[i-1] < s.target[i])
	}
	if ascending {
		return
	}
	slices.Sort(s.keys)
	s.sortParallel(int32(low))
	for k, key := range s.keys {
		s.target[low+int64(k)] = int32(key >> 32)
	}
	if s.group != nil {
		s.uint16s = permute(s.group[low:high], s.keys, s.uint16s)
	}
	if s.weight != nil {
		s.floats = permute(s.weight[low:high], s.keys, s.floats)
	}
	if s.ids.Ints != nil {
		s.int64s = permute(s.ids.Ints[low:high], s.keys, s.int64s)
	}
	if s.ids.Texts != nil {
		s.texts = permute(s.ids.Texts[low:high], s.keys, s.texts)
	}
	if s.position != nil {
		s.int32s = permute(s.position[low:high], s.keys, s.int32s)
	}
}

// sortParallel orders, among the sorted keys of the row that starts at low, those with one target.
func (s *sorter) sortParallel(low int32) {
	for from := 0; from < len(s.keys); {
		to := from + 1
		for to < len(s.keys) && s.keys[to]>>32 == s.keys[from]>>32 {
			to++
		}
		if to-from > 1 {
			run := s.keys[from:to]
			place := func(key uint64) int32 { return low + int32(uint32(key)) }
			slices.SortFunc(run, func(a, b uint64) int { return s.compareRead(place(a), place(b)) })
			for k := 1; k < len(run); k++ {
				s.duplicates = s.duplicates || s.compareParallel(place(run[k-1]), place(run[k])) == 0
			}
		}
		from = to
	}
}

// compareRead is compareParallel, and tells two readings of one relationship that changed meanwhile apart by weight.
func (c *columns) compareRead(i, j int32) int {
	if order := c.compareParallel(i, j); order != 0 || c.weight == nil {
		return order
	}
	return cmp.Compare(c.weight[i], c.weight[j])
}

// permute brings a row into the order of the keys' lower halves, by way of a slice that it returns for further use.
func permute[T any](row []T, keys []uint64, by []T) []T {
	by = append(by[:0], row...)
	for k, key := range keys {
		row[k] = by[uint32(key)]
	}
	return by
}
