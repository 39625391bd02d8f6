//go:build cuda

package cuda

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// fatbins are the compiled kernels, one file a .cu; gpu/cuda/build makes them.
//
//go:embed fatbin/*.fatbin
var fatbins embed.FS

// files returns the names of the compiled files, as gpu.Kernel has them, sorted.
func files() ([]string, error) {
	paths, err := fs.Glob(fatbins, "fatbin/*.fatbin")
	if err != nil {
		return nil, fmt.Errorf("kernels: %w", err)
	}
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(path.Base(p), ".fatbin")
	}
	return paths, nil
}

// image returns a compiled file.
func image(file string) (string, error) {
	data, err := fatbins.ReadFile("fatbin/" + file + ".fatbin")
	if err != nil {
		return "", fmt.Errorf("kernels: %w", err)
	}
	return string(data), nil
}
