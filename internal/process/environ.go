package process

import (
	"os"
	"slices"
	"strings"
)

// secrets are the environment variables that hold secrets. A test in config compares them with the settings.
var secrets = []string{"LINCHPIN_NEO4J_PASSWORD", "LINCHPIN_SERVE_TOKEN"}

// Environment returns this process's environment without its secrets, for the programs that it starts.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(secrets, name)
	})
}
