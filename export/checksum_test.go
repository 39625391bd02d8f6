package export

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestChecksum: that of the standard library, for lengths around chunks, from any checksum before.
func TestChecksum(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 3*chunk+5)
	_, _ = random.Read(data)
	for _, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, len(data)} {
		for _, before := range []uint32{0, 1, 0xdeadbeef} {
			if got, want := Checksum(before, data[:size]), crc32.Update(before, castagnoli, data[:size]); got != want {
				t.Errorf("%d bytes after %x: %x, not %x", size, before, got, want)
			}
		}
	}
}
