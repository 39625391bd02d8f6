package reuse

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const roomy = 1 << 20

func keyOf(name string) Key { return NewHasher(name).Key() }

// saved returns the file of a store with three parts.
func saved(t *testing.T, limit int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "reuse.bin")
	s := New(path, "linchpin 1", limit)
	s.Keep(Part{keyOf("a"), []float64{1, 2.5, -3}, 10})
	s.Keep(Part{keyOf("b"), nil, 20})
	s.Keep(Part{keyOf("c"), []float64{4}, 1e9})
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRoundTrip(t *testing.T) {
	path := saved(t, roomy)
	s := New(path, "linchpin 1", roomy)
	if err := s.Load(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"a": {1, 2.5, -3}, "b": {}, "c": {4}} {
		if got, ok := s.Find(keyOf(name)); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
	if _, ok := s.Find(keyOf("d")); ok {
		t.Error("a part that nobody kept")
	}
	s.Keep(Part{keyOf("d"), []float64{5}, 1})
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	next := New(path, "linchpin 1", roomy)
	if err := next.Load(); err != nil {
		t.Fatal(err)
	}
	if _, ok := next.Find(keyOf("a")); ok {
		t.Error("a part that the last run did not have is still there")
	}
	if left, _ := filepath.Glob(path + "?*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNoFileIsNoError(t *testing.T) {
	if err := New(filepath.Join(t.TempDir(), "reuse.bin"), "linchpin 1", roomy).Load(); err != nil {
		t.Error(err)
	}
}

// TestAlteredFilesAreDropped: each byte changed, each length cut, one byte more, another program, and over the limit.
func TestAlteredFilesAreDropped(t *testing.T) {
	path := saved(t, roomy)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dropped := func(what string, altered []byte, maker string, limit int64) {
		t.Helper()
		if err := os.WriteFile(path, altered, 0o600); err != nil {
			t.Fatal(err)
		}
		s := New(path, maker, limit)
		if err := s.Load(); !errors.Is(err, ErrDropped) || len(s.known) > 0 {
			t.Errorf("%s: %v, %d parts", what, err, len(s.known))
		}
	}
	for i := range data {
		altered := slices.Clone(data)
		altered[i] ^= 1 << (i % 8)
		dropped("a byte changed", altered, "linchpin 1", roomy)
		dropped("cut", data[:i], "linchpin 1", roomy)
	}
	dropped("longer", append(slices.Clone(data), 0), "linchpin 1", roomy)
	dropped("of another version", data, "linchpin 2", roomy)
	dropped("over the limit", data, "linchpin 1", int64(len(data))-1)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(path, "linchpin 1", int64(len(data))).Load(); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

// TestLimit: what saves the most work per byte stays, and the file is no longer than the limit.
func TestLimit(t *testing.T) {
	whole, err := os.Stat(saved(t, roomy))
	if err != nil {
		t.Fatal(err)
	}
	for limit := whole.Size() + overhead; limit > 0; limit -= 23 {
		path := saved(t, limit)
		info, err := os.Stat(path)
		s := New(path, "linchpin 1", max(limit, overhead+64))
		if err != nil || info.Size() > max(limit, overhead+64) {
			t.Fatalf("%d bytes, limit %d, %v", info.Size(), limit, err)
		}
		if err := s.Load(); err != nil {
			t.Fatal(err)
		}
		_, best := s.Find(keyOf("c"))
		_, worst := s.Find(keyOf("a"))
		if worst && !best {
			t.Fatalf("limit %d: the part with the most work is missing", limit)
		}
	}
}

// TestHashes: arrays of other lengths, nil and empty ones, and other kinds have other hashes; the same calls the same.
func TestHashes(t *testing.T) {
	seen := map[Key]int{}
	h := NewHasher("kind")
	for i, put := range []func(){
		func() {},
		func() { h.Ints(nil) },
		func() { h.Ints([]int64{}) },
		func() { h.Ints([]int64{0}) },
		func() { h.Ints([]int64{1, 2}); h.Ints([]int64{3}) },
		func() { h.Ints([]int64{1}); h.Ints([]int64{2, 3}) },
		func() { h.Int32s([]int32{1, 2}) },
		func() { h.Floats([]float64{1, 2}) },
		func() { h.Floats([]float64{1, 2, 0}) },
		func() { h.Float(0.5) },
		func() { h.Ints(make([]int64, 3*flushAt)) },
		func() { h.Ints(make([]int64, 3*flushAt+1)) },
	} {
		put()
		key := h.Key()
		if before, ok := seen[key]; ok {
			t.Errorf("%d and %d have one hash", before, i)
		}
		seen[key] = i
		put()
		if h.Key() != key {
			t.Errorf("%d: two hashes", i)
		}
	}
	if _, ok := seen[NewHasher("kin").Key()]; ok {
		t.Error("another kind has the same hash")
	}
}
