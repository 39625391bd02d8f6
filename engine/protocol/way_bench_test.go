package protocol

import (
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/process"
)

// BenchmarkWay reports the nanoseconds per arc of what a graph costs on the way to a worker: the file that both share,
// the checksum of that file, and the fingerprints on both sides. Processor time is what others on the machine leave
// alone.
func BenchmarkWay(b *testing.B) {
	s, err := generate.Graph(b.Context(), generate.Spec{Kind: "rmat", Scale: 18, Degree: 16, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	s = &export.Snapshot{Nodes: s.Nodes, Graph: s.Graph}
	path := filepath.Join(b.TempDir(), "shared.arrow")
	for name, step := range map[string]func() error{
		"show": func() error { return export.ShowSnapshot(path, s) },
		"open": func() error {
			m, err := export.OpenSealed(path)
			if err == nil {
				err = m.Close()
			}
			return err
		},
		"fingerprint": func() error { Fingerprint(s.Graph); return nil },
	} {
		if err := export.ShowSnapshot(path, s); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			before := process.CPUTime()
			for b.Loop() {
				if err := step(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((process.CPUTime()-before).Nanoseconds())/float64(b.N)/float64(s.Graph.Arcs()), "cpu-ns/arc")
		})
	}
}
