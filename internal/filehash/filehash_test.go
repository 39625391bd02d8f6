package filehash

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOfFile: the hash of FIPS 180-2, appendix B.1.
func TestOfFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	hash, size, err := OfFile(path)
	if hash != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" || size != 3 || err != nil {
		t.Errorf("%s, %d bytes, %v", hash, size, err)
	}
	if _, _, err := OfFile(path + ".gone"); !os.IsNotExist(err) {
		t.Error(err)
	}
}
