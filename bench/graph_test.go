package bench

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
)

func TestParseGraph(t *testing.T) {
	for name, want := range map[string]generate.Spec{
		"kron16":           {Kind: generate.RMAT, Scale: 16, Degree: 48},
		"rmat12-8+w10":     {Kind: generate.RMAT, Scale: 12, Degree: 8},
		"ba-1e6-4":         {Kind: generate.BarabasiAlbert, Nodes: 1_000_000, Degree: 4},
		"smallworld-1e5-6": {Kind: generate.WattsStrogatz, Nodes: 100_000, Degree: 6},
		"er-365-3206+real": {Kind: generate.ErdosRenyi, Nodes: 365, Edges: 3206},
		"rgg17":            {Kind: generate.Geometric, Scale: 17},
		"delaunay10":       {Kind: generate.Delaunay, Scale: 10},
		"grid600x400":      {Kind: generate.Grid, Width: 600, Height: 400},
		"road21x22":        {Kind: generate.Road, Width: 21, Height: 22},
	} {
		want.Seed = seed
		g, err := ParseGraph(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if *g.Recipe != want {
			t.Errorf("%s: got %+v, want %+v", name, *g.Recipe, want)
		}
	}
	g, err := ParseGraph("air-routes+own")
	if err != nil || g.Recipe != nil || g.Weights != OwnWeights || g.Base != "air-routes" {
		t.Errorf("air-routes+own: %+v, %v", g, err)
	}
}

func TestParseGraphRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"nope": "no such graph", "kron": "no such graph", "kron16x": "no such graph", "rgg31": "scale 31",
		"ba-0-4": "not between", "kron16+w11": "weights \"w11\"", "kron16+own": "no weights of its own",
		"luxembourg_osm+own": "no weights of its own", "": "no such graph", "er-9e9-1": "not between",
		"data:": "is to be followed", "data:../power": "is to be followed", "data:mine+w11": "weights \"w11\"",
	} {
		if _, err := ParseGraph(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want an error with %q", name, err, want)
		}
	}
}

// tinyData makes a data folder in which every graph is the same small one: directed, with a self-loop, a parallel edge
// and a node that has only a self-loop.
func tinyData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range dataGraphs() {
		header, format := "src,dst", "%s,%s\n"
		if d.weighted {
			header, format = "src,dst,weight", "%s,%s,%d\n"
		}
		text := header + "\n"
		for i, edge := range []string{"z y", "y x", "y z", "x x", "w w", "x v", "z v"} {
			u, v, _ := strings.Cut(edge, " ")
			args := []any{u, v, 10 - i}
			text += fmt.Sprintf(format, args[:strings.Count(header, ",")+1]...)
		}
		writeZipped(t, filepath.Join(dir, d.name, "edges.csv.gz"), text)
	}
	return dir
}

func writeZipped(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(f)
	_, werr := zip.Write([]byte(text))
	if err := errors.Join(werr, zip.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestPackedGraphsAreTheSame(t *testing.T) {
	data, packed := tinyData(t), t.TempDir()
	if _, err := Pack(context.Background(), data, packed, nil, func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"power", "power+w10", "power+real", "air-routes", "air-routes+own",
		"road-LosAngeles+own", "data:power", "data:air-routes+own"} {
		g, err := ParseGraph(name)
		if err != nil {
			t.Fatal(err)
		}
		raw, _, err := (&Loader{Data: data, Cache: t.TempDir()}).Load(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		cache := t.TempDir()
		for range 2 { // the second time from the cache
			s, path, err := (&Loader{Data: packed, Cache: cache}).Load(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			if path != filepath.Join(cache, name+".arrow") {
				t.Errorf("%s: path %s", name, path)
			}
			if s.Digest() != raw.Digest() {
				t.Errorf("%s: the packed graph is another", name)
			}
		}
		if raw.Graph.N() != 5 || raw.Graph.M() != 4 || raw.Graph.Directed {
			t.Errorf("%s: n %d, m %d", name, raw.Graph.N(), raw.Graph.M())
		}
	}
}

// TestPackedWeights: a graph with drawn weights is packed with them.
func TestPackedWeights(t *testing.T) {
	data, packed := tinyData(t), t.TempDir()
	graphs, err := ParseGraphs([]string{"power+w10", "air-routes+own", "rmat6-4+real"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Pack(context.Background(), data, packed, graphs, func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
	for _, g := range graphs {
		want, _, err := (&Loader{Data: data, Cache: t.TempDir()}).Load(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readFile(context.Background(), filepath.Join(packed, g.Name+".csv.gz"), true)
		if err == nil {
			got, err = renumber(got)
		}
		if err != nil {
			t.Fatal(err)
		}
		if g, w := got.Graph, want.Graph; !slices.Equal(g.Offsets, w.Offsets) || !slices.Equal(g.Targets, w.Targets) ||
			!slices.Equal(g.Weights, w.Weights) || len(w.Weights) == 0 {
			t.Errorf("%v, not %v", g, w)
		}
	}
}

func TestWeights(t *testing.T) {
	data := tinyData(t)
	load := func(name string) *export.Graph {
		g, err := ParseGraph(name)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := (&Loader{Data: data, Cache: t.TempDir()}).Load(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		return s.Graph
	}
	if load("power").Weights != nil {
		t.Error("power has weights")
	}
	// z-y weighs 10 and 8, the lighter counts.
	if own := load("air-routes+own"); own.Weight(0) != 8 {
		t.Errorf("z-y weighs %v, not 8", own.Weight(0))
	}
	for _, w := range load("delaunay10+w10").Weights {
		if w < 1 || w > 10 || w != float64(int(w)) {
			t.Fatalf("weight %v", w)
		}
	}
	for _, w := range load("delaunay10+real").Weights {
		if w <= 0 || w > 1 {
			t.Fatalf("weight %v", w)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	load := func(l *Loader, name string) error {
		g, err := ParseGraph(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = l.Load(context.Background(), g)
		return err
	}
	packed := t.TempDir()
	writeZipped(t, filepath.Join(packed, "power.csv.gz"), "src,dst\n0,1\n1,7\n")
	cache := t.TempDir()
	if err := os.WriteFile(filepath.Join(cache, "kron10.arrow"), []byte("no snapshot"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"--data":     load(&Loader{Cache: t.TempDir()}, "power"),
		"neither":    load(&Loader{Data: t.TempDir(), Cache: t.TempDir()}, "power"),
		`node "7"`:   load(&Loader{Data: packed, Cache: t.TempDir()}, "power"),
		"made again": load(&Loader{Cache: cache}, "kron10"),
		"even":       load(&Loader{Cache: t.TempDir()}, "smallworld-100-5"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// TestSizes compares the graphs of the data collection with the sizes that the literature gives, where the collection
// lies beside the repository.
func TestSizes(t *testing.T) {
	data := filepath.Join("..", "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skipf("the data collection is not at %s; it is not part of the repository", data)
	}
	for name, want := range map[string][2]int{
		"luxembourg_osm": {114_599, 119_666}, "as-caida20071105": {26_475, 53_381}, "road-LosAngeles+own": {49_374, 71_865},
		"email-Enron-lcc": {33_696, 180_811}, "facebook_combined": {4_039, 88_234},
	} {
		g, err := ParseGraph(name)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := (&Loader{Data: data, Cache: t.TempDir()}).Load(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{s.Graph.N(), s.Graph.M()}; got != want {
			t.Errorf("%s: %v nodes and edges, want %v", name, got, want)
		}
	}
}
