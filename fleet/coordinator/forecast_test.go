package coordinator

import "testing"

// TestForecasts: on nodes that are alike a run of an hour takes an hour over their number, in shards of 5 to 60 s, but
// for the last ones. A run that is shorter than a shard is not cut, nor is one of two sources.
func TestForecasts(t *testing.T) {
	for _, nodes := range []int{1, 2, 7, 64} {
		f := Predict(1<<20, 3600, nodes)
		if ideal := 3600 / float64(nodes); f.Seconds < 0.999*ideal || f.Seconds > 1.1*ideal+15 {
			t.Errorf("%d nodes: %.1f s, and %.1f would be linear", nodes, f.Seconds, ideal)
		}
		if f.Nodes != nodes || f.Shards < 3600/60 || f.Shards > 3600/5 {
			t.Errorf("%d nodes: %d shards", nodes, f.Shards)
		}
	}
	if f := Predict(1<<20, 12, 2); f.Shards < 2 || f.Seconds > 9 {
		t.Errorf("a short run: %+v", f)
	}
	if f := Predict(1<<20, 4, 2); f.Shards != 1 || f.Seconds != 4 {
		t.Errorf("a run that is shorter than a shard should be: %+v", f)
	}
	if f := Predict(2, 4, 8); f.Shards != 1 || f.Seconds != 4 {
		t.Errorf("two sources: %+v", f)
	}
	if again := Predict(1<<20, 3600, 7); again != Predict(1<<20, 3600, 7) {
		t.Errorf("another time it is %+v", again)
	}
}
