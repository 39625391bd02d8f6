package process

import (
	"os"
	"slices"
	"strings"
)

// secrets are the environment variables that hold secrets. A test in config compares them with the settings.
var secrets = []string{"LINCHPIN_NEO4J_PASSWORD", "LINCHPIN_SERVE_TOKEN"}

// isSecret says whether an environment variable holds a secret: of linchpin, or what OpenTelemetry sends to collectors.
func isSecret(name string) bool {
	return slices.Contains(secrets, name) || strings.HasPrefix(name, "OTEL_") && strings.HasSuffix(name, "_HEADERS")
}

// Environment returns this process's environment without its secrets, for the programs that it starts.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return isSecret(name)
	})
}
