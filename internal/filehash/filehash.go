// Package filehash computes the SHA-256 of files.
package filehash

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// Of returns the SHA-256 of what is left of r, in hexadecimal digits, and how many bytes that was.
func Of(r io.Reader) (hash string, size int64, err error) {
	sum := sha256.New()
	size, err = io.Copy(sum, r)
	return fmt.Sprintf("%x", sum.Sum(nil)), size, err
}

// OfFile returns the SHA-256 of a file, in hexadecimal digits, and its size in bytes.
func OfFile(path string) (hash string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	return Of(f)
}
