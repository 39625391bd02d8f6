package engine

import (
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
)

// First is the way that runs; nil where none fits, or there is none.
func (r *Ranking) First() *plan.Candidate { return choice.First(r.Ways) }

// Least is the least host memory that any of the ways needs.
func (r *Ranking) Least() int64 { return choice.Least(r.Ways) }

// Lines are the ways, one a line, the first one in full.
func (r *Ranking) Lines() []string {
	out := make([]string, 0, len(r.Ways))
	for i, c := range r.Ways {
		if i == 0 {
			out = append(out, describe(c))
			continue
		}
		out = append(out, brief(c))
	}
	return out
}

// String is the ways in one line: the first one in full, and the names and times of the others. Then comes what Instead
// says.
func (r *Ranking) String() string {
	text := strings.Join(r.Lines(), "; then ")
	if r.Instead != "" {
		text += "; " + r.Instead
	}
	return text
}

// describe is a way in one line: who computes, why, how long it takes, and the memory.
func describe(c plan.Candidate) string {
	text := c.Line()
	if c.HostBytes > 0 {
		text += ", " + hostmem.FormatBytes(c.HostBytes)
	}
	if c.DeviceBytes > 0 {
		text += fmt.Sprintf(" and %s on the device", hostmem.FormatBytes(c.DeviceBytes))
	}
	return text
}

// brief is a way with its time alone.
func brief(c plan.Candidate) string {
	text := c.Name()
	if c.Reductions != nil {
		text += " on what reductions leave"
	}
	text += ", about " + plan.Duration(c.Seconds)
	if c.Misfit != "" {
		text += ": " + c.Misfit
	}
	return text
}
