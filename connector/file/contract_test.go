package file

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/contract"
	"github.com/linchpin-graph/linchpin/export"
)

// harness runs the contract on a CSV file in a folder of the test. encoding/csv, which the product does not use, reads
// and writes what the harness needs.
type harness struct {
	dir  string
	rels []contract.Rel
}

func (h *harness) path(name string) string { return filepath.Join(h.dir, name) }

func (h *harness) Terms() contract.Terms {
	return contract.Terms{Types: []string{""}, Weight: WeightColumn}
}

func (h *harness) Source() connector.Source { return &Source{Path: h.path("in.csv")} }

func (h *harness) Sink() connector.Sink {
	return &Sink{Nodes: h.path("nodes.csv"), Relationships: h.path("edges.csv")}
}

func (h *harness) Load(t *testing.T, m contract.Model) {
	for _, name := range []string{"nodes.csv", "edges.csv"} {
		if err := os.Remove(h.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	h.rels = m.Rels
	rows := [][]string{{"src", "dst", "weight"}}
	for _, r := range m.Rels {
		weight := ""
		if r.Weight != nil {
			weight = strconv.FormatFloat(*r.Weight, 'g', -1, 64)
		}
		rows = append(rows, []string{m.Nodes[r.Source], m.Nodes[r.Target], weight})
	}
	f, err := os.Create(h.path("in.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
}

func (h *harness) Names(_ *testing.T, s *export.Snapshot) []string { return s.Nodes.Texts }

func (h *harness) ReadBack(t *testing.T, on connector.Entity, property string) []contract.Score {
	f, err := os.Open(h.path(map[connector.Entity]string{connector.OnNodes: "nodes.csv",
		connector.OnRelationships: "edges.csv"}[on]))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []contract.Score
	for i, row := range rows {
		last := len(row) - 1
		if i == 0 {
			if row[last] != property {
				t.Fatalf("header %q", row)
			}
			continue
		}
		value, err := strconv.ParseFloat(row[last], 64)
		if err != nil {
			t.Fatal(err)
		}
		s := contract.Score{Source: row[0], Value: value}
		if on == connector.OnRelationships {
			s.Target, s.Weight = row[1], h.rels[i-1].Weight
		}
		out = append(out, s)
	}
	return out
}

func TestContract(t *testing.T) { contract.Run(t, &harness{dir: t.TempDir()}) }
