package protocol

import (
	"encoding/binary"
	"fmt"
	"os"
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
