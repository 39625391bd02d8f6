package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/linchpin-graph/linchpin/kernels"
)

// WriteNodes writes a file of nodes: int32, little-endian.
func WriteNodes(path string, nodes []int32) error { return writeNumbers(path, nodes) }

// WriteShares writes a file of shares of sources, or of masses of nodes: float64, little-endian.
func WriteShares(path string, shares []float64) error { return writeNumbers(path, shares) }

func writeNumbers[T int32 | float64](path string, numbers []T) error {
	data, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// ReadNodes reads a file of nodes; nil for no path.
func ReadNodes(path string) ([]int32, error) { return readNumbers[int32](path, "nodes") }

// ReadShares reads a file of shares; nil for no path.
func ReadShares(path string) ([]float64, error) { return readNumbers[float64](path, "shares") }

func readNumbers[T int32 | float64](path, what string) ([]T, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	size := binary.Size(T(0))
	if len(data)%size != 0 {
		return nil, fmt.Errorf("a file of %s of %d bytes", what, len(data))
	}
	out := make([]T, len(data)/size)
	_, err = binary.Decode(data, binary.LittleEndian, out)
	return out, err
}

// WriteChosen writes a choice of pairs to files, whose paths path gives, and returns them; nil where all within a range
// count once each.
func WriteChosen(path func(name string) string, p *kernels.Pairs) (*Chosen, error) {
	if p == nil || p.Targets == nil && p.Demand == nil {
		return nil, nil
	}
	out, err := &Chosen{Digest: p.Digest(), Demand: p.Demand != nil}, error(nil)
	if p.Targets != nil {
		out.Targets = path("targets")
		err = WriteNodes(out.Targets, p.Targets)
	}
	if d := p.Demand; d != nil && d.Sources != nil && err == nil {
		out.SourceMasses = path("source-masses")
		err = WriteShares(out.SourceMasses, d.Sources)
	}
	if d := p.Demand; d != nil && d.Targets != nil && err == nil {
		out.TargetMasses = path("target-masses")
		err = WriteShares(out.TargetMasses, d.Targets)
	}
	if d := p.Demand; d != nil && d.Trips != nil && err == nil {
		out.Trips, err = writeTrips(path, d.Trips)
	}
	return out, err
}

// writeTrips writes a list of pairs to files.
func writeTrips(path func(name string) string, t *kernels.Trips) (*Trips, error) {
	sources := make([]int32, 0, len(t.Targets))
	for s := range len(t.Offsets) - 1 {
		for range t.Offsets[s+1] - t.Offsets[s] {
			sources = append(sources, int32(s))
		}
	}
	out, errs := &Trips{}, [3]error{}
	out.Sources = path("trip-sources")
	errs[0] = WriteNodes(out.Sources, sources)
	out.Targets = path("trip-targets")
	errs[1] = WriteNodes(out.Targets, t.Targets)
	out.Amounts = path("trip-amounts")
	errs[2] = WriteShares(out.Amounts, t.Amounts)
	return out, errors.Join(errs[:]...)
}
