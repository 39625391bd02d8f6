//go:build !unix

package process

import "os"

// LocksFolders reports whether LockFolder can lock here.
const LocksFolders = false

// LockFolder never locks here, so that folders which a killed process left stay.
func LockFolder(string) *os.File { return nil }
