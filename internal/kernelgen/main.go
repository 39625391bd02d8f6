// Command kernelgen reads the CUDA sources of one folder of kernels/ and writes what the host must know of them as Go,
// into the same folder: the arguments that kernels take as structs, the names of all kernels, and the constants that
// both sides share. `go generate ./kernels/...` runs it in each folder; a test fails when its output is out of date.
//
// It takes a struct or an enum whose line above reads "// host: arguments" or "// host: enumeration", and a constant
// whose comment begins with "host: NAME". A kernel is a function that is extern "C" __global__, or a use of a macro
// that makes one of its first argument. With -exported, other packages can use the names.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// output is the file that is written into a folder.
const output = "kernels_gen.go"

func main() {
	exported := flag.Bool("exported", false, "let other packages use the names")
	flag.Parse()
	if err := write(*exported); err != nil {
		fmt.Fprintln(os.Stderr, "kernelgen:", err)
		os.Exit(1)
	}
}

// write writes the file of the folder that it runs in.
func write(exported bool) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	text, err := Generate(filepath.Dir(here), filepath.Base(here), exported)
	if err != nil {
		return err
	}
	return os.WriteFile(output, text, 0o644)
}
