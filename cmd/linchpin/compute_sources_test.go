package main

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// TestPlacesOfIDs: ids are found whether or not they are in order, integers as they are written and no others.
func TestPlacesOfIDs(t *testing.T) {
	for name, c := range map[string]struct {
		nodes export.IDs
		found map[string]int32
		not   []string
	}{
		"in order": {export.IDs{Ints: []int64{-3, 0, 7, 12}}, map[string]int32{"-3": 0, "0": 1, "7": 2, "12": 3},
			[]string{"1", "007", "+7", "-0", "", "x"}},
		"any order": {export.IDs{Ints: []int64{12, -3, 7}}, map[string]int32{"-3": 1, "7": 2, "12": 0},
			[]string{"0", "07", " 7"}},
		"texts":    {export.IDs{Texts: []string{"b", "7", ""}}, map[string]int32{"b": 0, "7": 1, "": 2}, []string{"a", "07"}},
		"no nodes": {export.IDs{}, nil, []string{"0", ""}},
	} {
		x := indexOf(c.nodes)
		for id, want := range c.found {
			if got, ok := x.find(id); got != want || !ok {
				t.Errorf("%s: %q is at %d (%t), not %d", name, id, got, ok, want)
			}
		}
		for _, id := range c.not {
			if got, ok := x.find(id); ok {
				t.Errorf("%s: %q is at %d", name, id, got)
			}
		}
	}
}
