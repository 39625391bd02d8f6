package protocol

import (
	"encoding/binary"
	"fmt"
	"os"
)

// WriteNodes writes a file of nodes: int32, little-endian.
func WriteNodes(path string, nodes []int32) error {
	data := make([]byte, 0, 4*len(nodes))
	for _, v := range nodes {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return os.WriteFile(path, data, 0o600)
}

// ReadNodes reads a file of nodes; nil for no path.
func ReadNodes(path string) ([]int32, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("a file of nodes of %d bytes", len(data))
	}
	out := make([]int32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, out)
	return out, err
}
