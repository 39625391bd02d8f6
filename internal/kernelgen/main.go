// Command kernelgen reads the CUDA sources in the folders of kernels/ and writes what the host must know of them as Go: the arguments
// that kernels take as structs, the names of all kernels, and the constants that both sides share. It runs by
// `go generate ./engine/worker`; a test fails when its output is out of date.
//
// It takes a struct or an enum whose line above reads "// host: arguments" or "// host: enumeration", and a constant
// whose comment begins with "host: NAME". A kernel is a function that is extern "C" __global__, or a use of a macro
// that makes one of its first argument.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: kernelgen FOLDER PACKAGE OUT")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "kernelgen:", err)
		os.Exit(1)
	}
}

func write(folder, pkg, out string) error {
	text, err := Generate(folder, pkg)
	if err != nil {
		return err
	}
	return os.WriteFile(out, text, 0o644)
}
