package export

import (
	"hash/crc32"
	"math/bits"
	"runtime"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// chunk is how many bytes a thread sums up at once: more than fit caches.
const chunk = 4 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum continues a CRC-32C over data, on all processors.
func Checksum(crc uint32, data []byte) uint32 {
	chunks := len(data) / chunk
	sums := make([]uint32, chunks)
	inparts.On(runtime.GOMAXPROCS(0), 1, chunks, func(_, first, last int) {
		for i := first; i < last; i++ {
			sums[i] = crc32.Checksum(data[i*chunk:(i+1)*chunk], castagnoli)
		}
	})
	for _, sum := range sums {
		crc = times(crc, pastChunk) ^ sum
	}
	return crc32.Update(crc, castagnoli, data[chunks*chunk:])
}

// pastChunk is x to the power of a chunk's bits, modulo the polynomial: a checksum times this is what it adds to one
// that a chunk later ends (Adler, crc32_combine of zlib). Bit 31 is x to the power of 0.
var pastChunk = func() uint32 {
	power := uint32(1) << 30 // x
	for range bits.TrailingZeros(8 * chunk) {
		power = times(power, power)
	}
	return power
}()

// times multiplies polynomials modulo that of CRC-32C.
func times(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a>>31 == 1 {
			product ^= b
		}
		b = b>>1 ^ crc32.Castagnoli&-(b&1)
	}
	return product
}
