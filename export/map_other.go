//go:build !unix

package export

import (
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
)

// mapFile reads a file whole, aligned for 64-bit numbers, where it cannot be mapped.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	data = arrow.Int64Traits.CastToBytes(make([]int64, (size+7)/8))[:size]
	_, err = io.ReadFull(f, data)
	return data, func() error { return nil }, err
}
