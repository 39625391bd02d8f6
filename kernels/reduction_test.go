package kernels

import (
	"testing"
)

// TestReductionReason is the sentence that people read.
func TestReductionReason(t *testing.T) {
	for want, r := range map[string]Reduction{
		"graph reduced: 2,083 of 3,504 sources, 53 % of the work":      {Searched: 2083, WorkRatio: 0.5321},
		"graph reduced: 0 of 3,504 sources, 0 % of the work":           {},
		"graph reduced: 999 of 3,504 sources, 0.042 % of the work":     {Searched: 999, WorkRatio: 0.00042},
		"graph reduced: 1,234,567 of 3,504 sources, 130 % of the work": {Searched: 1234567, WorkRatio: 1.3},
		"graph reduced: 12,345 of 3,504 sources, 9.9 % of the work":    {Searched: 12345, WorkRatio: 0.0987},
	} {
		if r.Reduced(3504); r.Reason != want {
			t.Errorf("%q, want %q", r.Reason, want)
		}
	}
}
