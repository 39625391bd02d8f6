//go:build cuda

package cuda

import (
	"embed"
	"fmt"
	"io/fs"
)

// fatbins are the compiled kernels, one file a .cu; gpu/cuda/build makes them.
//
//go:embed fatbin/*.fatbin
var fatbins embed.FS

// images returns the compiled kernels, sorted by file name.
func images() (map[string]string, error) {
	files, err := fs.Glob(fatbins, "fatbin/*.fatbin")
	if err != nil {
		return nil, fmt.Errorf("kernels: %w", err)
	}
	out := map[string]string{}
	for _, name := range files {
		data, err := fatbins.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("kernels: %w", err)
		}
		out[name] = string(data)
	}
	return out, nil
}
