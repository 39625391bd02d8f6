//go:build cuda

package cuda

import (
	"embed"
	"fmt"
)

// fatbins are the compiled kernels, one file a .cu; gpu/cuda/build makes them.
//
//go:embed fatbin/*.fatbin
var fatbins embed.FS

// image returns a compiled file, by the name that gpu.Kernel has of it.
func image(file string) (string, error) {
	data, err := fatbins.ReadFile("fatbin/" + file + ".fatbin")
	if err != nil {
		return "", fmt.Errorf("kernels: %w", err)
	}
	return string(data), nil
}
