package protocol

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"unsafe"

	"github.com/linchpin-graph/linchpin/export"
)

// Fingerprint tells graphs apart, so that a worker does not compute on a snapshot left over from another one. It reads
// the graph once, on all processors.
func Fingerprint(g *export.Graph) uint32 {
	head := binary.LittleEndian.AppendUint64(nil, uint64(g.EdgeCount))
	if g.Directed {
		head = append(head, 1)
	}
	sum := export.Checksum(0, head)
	for _, column := range [][]byte{bytesOf(g.Offsets), bytesOf(g.Targets), bytesOf(g.Edges),
		bytesOf(g.Weights), bytesOf(g.Rests)} {
		sum = export.Checksum(sum, binary.LittleEndian.AppendUint64(nil, uint64(len(column))))
		sum = export.Checksum(sum, column)
	}
	return sum
}

func bytesOf[T int32 | int64 | float64](s []T) []byte {
	var x T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(x)))
}

// Run identifies the run that an order is a part of, by all that its orders have in common: how to compute, on which
// graph and from which sources, the content of the file that Sources names.
func (o Order) Run(sources []byte) (string, error) {
	o.Shard, o.Joined, o.Scores, o.Sources = nil, "", "", ""
	if o.Chosen != nil {
		o.Chosen = &Chosen{Digest: o.Chosen.Digest} // files have other names in each order
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(text, sources...))
	return string(sum[:]), nil
}
