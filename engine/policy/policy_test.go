package policy

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "auto": nil, "cpu": nil, "gpu": nil, "gpu:0": {0}, "gpu:12": {12}, "gpu:0,2": {0, 2}, "gpu:2,0": {2, 0},
		"gpu:all": {0, 1, 2}, "auto:all": {0, 1, 2}, "auto:1": {1}, "auto:1,2": {1, 2},
	} {
		p, err := Parse(text)
		if got := p.Devices(3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if want := strings.HasPrefix(text, "gpu"); p.Demands() != want {
			t.Errorf("%q demands a device: %t", text, p.Demands())
		}
	}
	for _, text := range []string{
		"tpu", "gpu:", "gpu:-1", "gpu:01", "gpu:x", "gpu:1000", "gpu1", "GPU", "gpu:0,", "gpu:,0", "gpu:0,0",
		"gpu:all,0", "gpu:0, 1", "cpu:0", "cpu:all", ":0", "auto:", "gpu:0:1",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestPolicyOnDevices: a policy and devices that were given apart.
func TestPolicyOnDevices(t *testing.T) {
	for _, c := range []struct {
		policy  Policy
		devices string
		want    Policy
		places  int
	}{
		{"", "", "", 1}, {"", "all", "auto:all", 4}, {Auto, "0,2", "auto:0,2", 2}, {GPU, "all", "gpu:all", 4},
		{GPU, "3", "gpu:3", 1}, {CPU, "", CPU, 0},
	} {
		p, err := c.policy.On(c.devices)
		if err != nil || p != c.want || p.Places(4) != c.places {
			t.Errorf("%q on %q: %q, %d places, %v", c.policy, c.devices, p, p.Places(4), err)
		}
	}
	for _, c := range [][2]string{{"cpu", "all"}, {"gpu:0", "all"}, {"gpu", "none"}, {"gpu", "0,x"}} {
		if p, err := Policy(c[0]).On(c[1]); err == nil {
			t.Errorf("%s on %s: %s", c[0], c[1], p)
		}
	}
}

// TestTasksAreSpread over two devices: the one with fewer tasks is taken, and one that is named is left alone.
func TestTasksAreSpread(t *testing.T) {
	d := Spread{Count: 2}
	a, leaveA := d.Take(Auto)
	b, leaveB := d.Take(GPU)
	c, _ := d.Take("gpu:1")
	e, _ := d.Take(Auto)
	if a != 0 || b != 1 || c != 1 || e != 0 {
		t.Errorf("tasks are on %d, %d, %d and %d", a, b, c, e)
	}
	leaveA()
	leaveB()
	if f, _ := d.Take("gpu:7"); f != 7 { // the worker says that it is not there
		t.Errorf("gpu:7 became %d", f)
	}
	if g, _ := d.Take(Auto); g != 0 {
		t.Errorf("the first of two with one task each, not %d", g)
	}
}

// TestShardsTakeTheIdleDevices: of more devices than shards, those with the fewest tasks.
func TestShardsTakeTheIdleDevices(t *testing.T) {
	d := Spread{}
	_, leave := d.Take("gpu:0")
	for _, c := range []struct {
		policy Policy
		shards int
		want   []int
	}{
		{GPU, 9, []int{1, 2, 0}}, {GPU, 2, []int{1, 2}}, {"gpu:0,2", 5, []int{2, 0}}, {"gpu:0,2", 1, []int{2}},
		{"gpu:1", 5, []int{1}}, {"auto:all", 3, []int{1, 2, 0}},
	} {
		if got := d.Shared(c.policy, c.shards, 3); !slices.Equal(got, c.want) {
			t.Errorf("%d shards on %s: %v, want %v", c.shards, c.policy, got, c.want)
		}
	}
	leave()
}
