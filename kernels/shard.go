package kernels

// Shard is part Index of Of equal parts of a run; the zero value is all of it.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// Whole reports whether the shard is all of the run.
func (s Shard) Whole() bool { return s.Of <= 1 }

// Part returns the units of the shard, of so many in all. Parts of one run do not overlap and leave nothing out.
func (s Shard) Part(units int) (first, last int) {
	if s.Whole() {
		return 0, units
	}
	at := func(i int) int { return int(int64(i) * int64(units) / int64(s.Of)) }
	return at(s.Index), at(s.Index + 1)
}
