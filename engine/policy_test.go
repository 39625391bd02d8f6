package engine

import (
	"strings"
	"testing"
)

func TestParsePolicy(t *testing.T) {
	for text, index := range map[string]int{"": -1, "auto": -1, "cpu": -1, "gpu": -1, "gpu:0": 0, "gpu:12": 12} {
		p, err := ParsePolicy(text)
		if got, named := p.Index(); err != nil || named != (index >= 0) || named && got != index {
			t.Errorf("%q: %d, %t, %v", text, got, named, err)
		}
		if want := strings.HasPrefix(text, "gpu"); p.Demands() != want {
			t.Errorf("%q demands a device: %t", text, p.Demands())
		}
	}
	for _, text := range []string{"tpu", "gpu:", "gpu:-1", "gpu:01", "gpu:x", "gpu:1000", "gpu1", "GPU", "gpu:0,2"} {
		if _, err := ParsePolicy(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTasksAreSpread over two devices: the one with fewer tasks is taken, and one that is named is left alone.
func TestTasksAreSpread(t *testing.T) {
	d := devices{count: 2}
	a, leaveA := d.take(Auto)
	b, leaveB := d.take(GPU)
	c, _ := d.take("gpu:1")
	e, _ := d.take(Auto)
	if a != 0 || b != 1 || c != 1 || e != 0 {
		t.Errorf("tasks are on %d, %d, %d and %d", a, b, c, e)
	}
	leaveA()
	leaveB()
	if f, _ := d.take("gpu:7"); f != 7 { // the worker says that it is not there
		t.Errorf("gpu:7 became %d", f)
	}
	if g, _ := d.take(Auto); g != 0 {
		t.Errorf("the first of two with one task each, not %d", g)
	}
}

// TestDeviceIsNamed: where there are several devices, the outcome says which one it was.
func TestDeviceIsNamed(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for policy, want := range map[Policy]string{"gpu": "Fake 0 (gpu:0)", "gpu:1": "Fake 1 (gpu:1)"} {
		c := testMachine("says-its-number")
		c.spread.count = 2
		out, err := (&Engine{device: c}).Compute(t.Context(), testTask(policy))
		if err != nil || out.Device != want {
			t.Errorf("%s: %+v, %v; want %s", policy, out, err, want)
		}
	}
	out, err := onSlowCPU(testMachine("says-its-number")).Compute(t.Context(), testTask(Auto))
	if err != nil || out.Device != "Fake 0" {
		t.Errorf("one device: %+v, %v", out, err)
	}
}
