package serve

import (
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// TestFallbacksAreCounted: a run that the CPU computed because a GPU failed counts; one on a machine without a GPU does
// not.
func TestFallbacksAreCounted(t *testing.T) {
	m := newMetrics("test")
	m.ended(connector.Run{Job: "a", Status: connector.Succeeded, Device: "cpu", Reason: "no GPU on this machine"})
	m.ended(connector.Run{Job: "a", Status: connector.Succeeded, Device: "cpu",
		Reason: "degree: is always computed on the CPU"})
	m.ended(connector.Run{Job: "b", Status: connector.Succeeded, Device: "cpu", Reason: "the GPU failed: x",
		Fallback: "launch-failed"})
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		if f.GetName() != "linchpin_fallbacks_total" {
			continue
		}
		for _, metric := range f.GetMetric() {
			for _, label := range metric.GetLabel() {
				got = append(got, label.GetValue())
			}
		}
	}
	if len(got) != 2 || got[0] != "b" || got[1] != "launch-failed" {
		t.Errorf("fallbacks %v", got)
	}
}
