package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
)

// A hook's command gets neither the database's password nor the service's token.
func TestHooksInheritNoSecrets(t *testing.T) {
	t.Setenv("LINCHPIN_NEO4J_PASSWORD", "swordfish")
	t.Setenv("LINCHPIN_SERVE_TOKEN", "swordfish")
	t.Setenv("LINCHPIN_TEST_OTHER", "kept")
	out := filepath.Join(t.TempDir(), "env")
	if err := execute(t.Context(), config.Hook{Exec: []string{"sh", "-c", "env > " + out}}, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil || strings.Contains(string(text), "swordfish") ||
		!strings.Contains(string(text), "LINCHPIN_TEST_OTHER=kept") {
		t.Errorf("%v: %s", err, text)
	}
}
