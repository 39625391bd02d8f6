package export

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// writeTemp writes a snapshot into a folder of the test.
func writeTemp(t testing.TB, s *Snapshot) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "graph.arrow")
	if err := WriteSnapshot(path, s); err != nil {
		t.Fatal(err)
	}
	return path
}

// closed closes a mapped file.
func closed(t rapid.TB, m *Mapped) {
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// sample has every column: weights, a mixture of orientations (second edges) and ids of both.
func sample(t testing.TB) *Snapshot {
	b := NewBuilder(Group{Natural, Keep, true, false}, Group{Undirected, Min, true, false})
	b.AddNodeTexts([]string{"a", "b", "Zoë", "alone"})
	if _, err := b.Freeze(); err != nil {
		t.Fatal(err)
	}
	for group := range 2 {
		err := b.AddRelationships(Rels{
			Group: group, Source: []int32{0, 1, 3}, Target: []int32{1, 0, 3}, Weights: []float64{0.1, 2, 3},
			IDs: IDs{Ints: []int64{int64(group) + 1, int64(group) + 3, int64(group) + 5}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.Drop(Dropped{Dangling: 1, Duplicates: 2, ZeroWeight: 3, BadWeight: 4})
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sampleWithRests is sample with arcs whose weights no float64 shows.
func sampleWithRests(t testing.TB) *Snapshot {
	s := sample(t)
	s.Graph.Rests = make([]float64, s.Graph.Arcs())
	s.Graph.Rests[1] = 1e-20
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if s.Digest() == sample(t).Digest() {
		t.Error("rests of weights do not change the digest")
	}
	return s
}

func TestSnapshotFileRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := drawModel(t).build(t, 1)
		path := filepath.Join(dir, "graph.arrow") // each replaces the one before
		if err := WriteSnapshot(path, s); err != nil {
			t.Fatal(err)
		}
		m, err := OpenSnapshot(path)
		if err != nil {
			t.Fatal(err)
		}
		defer closed(t, m)
		if diff := cmp.Diff(plain(s), plain(m.Snapshot), cmpopts.EquateEmpty()); diff != "" || s.Digest() != m.Digest() {
			t.Fatalf("the file changed the snapshot (-written +read):\n%s", diff)
		}
	})
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left, want 1: %v", len(left), left)
	}
}

func TestSnapshotFileOfEdgeCases(t *testing.T) {
	empty := func(groups ...Group) *Snapshot {
		s, err := NewBuilder(groups...).Build()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	noRels := sample(t)
	noRels.Rels = Relationships{}
	for name, s := range map[string]*Snapshot{
		"no nodes":           empty(Group{Undirected, Keep, false, false}),
		"no nodes, weighted": empty(Group{Natural, Keep, true, false}),
		"everything":         sample(t), "no relationships": noRels, "rests": sampleWithRests(t),
	} {
		m, err := OpenSnapshot(writeTemp(t, s))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Digest() != m.Digest() || s.Dropped != m.Dropped {
			t.Errorf("%s: the file changed the snapshot: %s", name, cmp.Diff(plain(s), plain(m.Snapshot)))
		}
		if err := errors.Join(m.Close(), m.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSnapshotFileOfHundredsOfMegabytes passes the limit of 256 MiB that the Arrow reader has by default.
func TestSnapshotFileOfHundredsOfMegabytes(t *testing.T) {
	const n = 12 << 20
	b := NewBuilder(Group{Undirected, Keep, false, false})
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(i)
	}
	b.AddNodes(ids)
	if err := b.AddRelationships(Rels{Source: []int32{0, n - 2}, Target: []int32{1, n - 1}}); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	path := writeTemp(t, s)
	if info, err := os.Stat(path); err != nil || info.Size() < 300<<20 {
		t.Fatalf("the file is too small for this test: %v, %v", info, err)
	}
	m, err := OpenSnapshot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, m)
	if m.Digest() != s.Digest() {
		t.Error("the file changed the snapshot")
	}
}

// TestSnapshotFileNoticesEveryByte changes each byte of a file in turn, by one bit and whole.
func TestSnapshotFileNoticesEveryByte(t *testing.T) {
	path := writeTemp(t, sample(t))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseSnapshot(good); err != nil {
		t.Fatal(err)
	}
	bad := make([]byte, len(good))
	for i := range good {
		for _, flip := range []byte{1, 1 << (i % 8), 0xff} {
			copy(bad, good)
			bad[i] ^= flip
			if _, err := parseSnapshot(bad); err == nil {
				t.Fatalf("byte %d of %d changed by %08b unnoticed", i, len(good), flip)
			}
		}
	}
	for size := range good {
		if _, err := parseSnapshot(good[:size]); err == nil {
			t.Fatalf("a file cut to %d of %d bytes unnoticed", size, len(good))
		}
	}
	if _, err := parseSnapshot(append(slices.Clone(good), 0)); err == nil {
		t.Fatal("a byte at the end unnoticed")
	}
}

func TestSnapshotFileErrors(t *testing.T) {
	good, err := os.ReadFile(writeTemp(t, sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":     {nil, "the file is empty"},
		"text":      {[]byte("src,dst\n1,2\n"), "not a snapshot of linchpin"},
		"truncated": {good[:len(good)/2], "truncated or altered"},
		"altered":   {flipped(good, len(good)/3), "altered: its checksum does not match"},
		"version":   {anotherVersion(good), `this program reads version 1`},
	} {
		path := filepath.Join(t.TempDir(), name+".arrow")
		if err := os.WriteFile(path, c.content, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := OpenSnapshot(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with the path and %q", name, err, c.want)
		}
	}
	if _, err := OpenSnapshot(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := OpenSnapshot(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func flipped(data []byte, i int) []byte {
	out := slices.Clone(data)
	out[i] ^= 4
	return out
}

// anotherVersion is a file whose version text is "2" and whose seal is right.
func anotherVersion(data []byte) []byte {
	out := slices.Clone(data)
	for i := range out {
		// In the metadata a text stands behind its length, in four bytes.
		if strings.HasPrefix(string(out[i:]), "\x01\x00\x00\x001\x00") {
			out[i+4] = '2'
		}
	}
	at := len(out) - arrowTail - int(binary.LittleEndian.Uint32(out[len(out)-arrowTail:])) - sealBytes
	crc := crc32.Update(crc32.Checksum(out[:at], castagnoli), castagnoli, out[at+sealBytes:])
	binary.LittleEndian.PutUint32(out[at+len(sealMagic):], crc)
	binary.LittleEndian.PutUint32(out[at+len(sealMagic)+4:], ^crc)
	return out
}

// FuzzSnapshot forges a number of a file whose seal is right: what the reader returns all the same is a graph. The
// file's Arrow metadata is left alone, since a forged length there makes the Arrow library allocate as much.
func FuzzSnapshot(f *testing.F) {
	for field := range uint8(8) {
		f.Add(field, uint8(1), int64(-1))
		f.Add(field, uint8(0), int64(1)<<40)
	}
	f.Fuzz(func(t *testing.T, field, at uint8, value int64) {
		s := sample(t)
		g, r := s.Graph, &s.Rels
		if field%8 == 0 {
			g.EdgeCount = int(value)
		}
		places := [][]int32{1: g.Targets, 2: g.Edges, 3: r.Edges, 4: r.Targets, 5: r.Back, 7: nil}[field%8]
		if len(places) > 0 {
			places[int(at)%len(places)] = int32(value)
		}
		switch field % 8 {
		case 6:
			g.Weights[int(at)%len(g.Weights)] = math.Float64frombits(uint64(value))
		case 7:
			r.IDs.Ints[int(at)%len(r.IDs.Ints)] = value
		}
		m, err := OpenSnapshot(writeTemp(t, s))
		if err != nil {
			return
		}
		defer m.Close()
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		m.Digest()
	})
}

// TestSnapshotFileOfForgedGraph: a file whose seal is right still may not break the invariants of the kernels.
func TestSnapshotFileOfForgedGraph(t *testing.T) {
	for name, forge := range map[string]func(s *Snapshot){
		"target":    func(s *Snapshot) { s.Graph.Targets[0] = 99 },
		"weight":    func(s *Snapshot) { s.Graph.Weights[0] = -1 },
		"edges":     func(s *Snapshot) { s.Graph.EdgeCount++ },
		"rel edge":  func(s *Snapshot) { s.Rels.Edges[0] = -1 },
		"rel back":  func(s *Snapshot) { s.Rels.Back[0] = 99 },
		"rel ids":   func(s *Snapshot) { s.Rels.Targets[1] = 4 },
		"positions": func(s *Snapshot) { s.Rels.Positions = make([]int32, s.Rels.Len()) },
	} {
		s := sample(t)
		forge(s)
		if m, err := OpenSnapshot(writeTemp(t, s)); err == nil {
			closed(t, m)
			t.Errorf("%s: opened", name)
		}
	}
}

func TestDigestNoticesEveryPart(t *testing.T) {
	want := sample(t).Digest()
	for name, change := range map[string]func(s *Snapshot){
		"directed":  func(s *Snapshot) { s.Graph.Directed = !s.Graph.Directed },
		"offsets":   func(s *Snapshot) { s.Graph.Offsets[1]-- },
		"targets":   func(s *Snapshot) { s.Graph.Targets[0]++ },
		"weights":   func(s *Snapshot) { s.Graph.Weights[0] *= 2 },
		"unweighed": func(s *Snapshot) { s.Graph.Weights = nil },
		"edges":     func(s *Snapshot) { s.Graph.Edges = make([]int32, s.Graph.Arcs()) },
		"node id":   func(s *Snapshot) { s.Nodes.Texts[0] += "x" },
		"node ids":  func(s *Snapshot) { s.Nodes.Texts[0], s.Nodes.Texts[1] = "Alon", "ea" },
		"rel end":   func(s *Snapshot) { s.Rels.Targets[0]++ },
		"rel start": func(s *Snapshot) { s.Rels.Offsets[1]-- },
		"rel edge":  func(s *Snapshot) { s.Rels.Edges[0]++ },
		"rel back":  func(s *Snapshot) { s.Rels.Back[0] = 1 - s.Rels.Back[0] },
		"rel id":    func(s *Snapshot) { s.Rels.IDs.Ints[0]++ },
		"positions": func(s *Snapshot) { s.Rels.Positions = []int32{0} },
	} {
		s := sample(t)
		change(s)
		if s.Digest() == want {
			t.Errorf("%s: changed, the digest did not", name)
		}
	}
	s := sample(t)
	s.Dropped.Dangling++
	if s.Digest() != want {
		t.Error("the digest depends on what is not in the graph")
	}
}

func TestPendingFileLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	p, err := CreatePending(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	p.Discard()
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("after Discard the file holds %q", b)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("out", link); err != nil {
		t.Fatal(err)
	}
	if p, err = CreatePending(link); err != nil {
		t.Fatal(err)
	}
	if _, err := p.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	p.Discard()
	if b, _ := os.ReadFile(path); string(b) != "new" {
		t.Errorf("after Commit through a link the file holds %q", b)
	}
	if p, err = CreatePrivate(link); err == nil {
		err = p.Commit()
	}
	if info, _ := os.Lstat(link); err != nil || info.Mode() != 0o600 {
		t.Errorf("a private file in place of a link has mode %v: %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("files left: %v", left)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "no", "folder")} {
		if _, err := CreatePending(bad); err == nil {
			t.Errorf("%s: created", bad)
		}
	}
}
