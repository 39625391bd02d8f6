package engine

import "testing"

// TestDeviceIsNamed: where there are several devices, the outcome says which one it was.
func TestDeviceIsNamed(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for p, want := range map[Policy]string{"gpu": "Fake 0 (gpu:0)", "gpu:1": "Fake 1 (gpu:1)"} {
		c := testMachine("says-its-number")
		c.spread.Count = 2
		out, err := (&Engine{device: c}).Compute(t.Context(), testTask(p))
		if err != nil || out.Device != want {
			t.Errorf("%s: %+v, %v; want %s", p, out, err, want)
		}
	}
	out, err := onSlowCPU(testMachine("says-its-number")).Compute(t.Context(), testTask(Auto))
	if err != nil || out.Device != "Fake 0" {
		t.Errorf("one device: %+v, %v", out, err)
	}
}
