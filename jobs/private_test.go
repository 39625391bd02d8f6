package jobs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

func TestSharedFoldersAreRefused(t *testing.T) {
	for _, c := range []struct {
		mode      os.FileMode
		owner, me int
		want      string
	}{
		{0o700, 1000, 1000, ""}, {0o755, 1000, 1000, ""}, {0o700, 0, 0, ""}, {0o755, 0, 1000, ""},
		{os.ModeSetgid | 0o750, 1000, 1000, ""},
		{0o700, 1001, 1000, "chown 1000 /s"}, {0o700, 1000, 0, "chown 0 /s"},
		{0o775, 1000, 1000, "chmod go-w /s"}, {0o702, 1000, 1000, "chmod go-w /s"},
		{os.ModeSticky | 0o777, 0, 1000, "chmod go-w /s"},
	} {
		err := refuseShared("/s", c.mode, c.owner, c.me)
		if (err == nil) != (c.want == "") || !strings.Contains(connector.HintOf(err), c.want) {
			t.Errorf("mode %v of %d for %d: %v; %s", c.mode, c.owner, c.me, err, connector.HintOf(err))
		}
	}
}

// Neither the state folder nor those in it may be shared.
func TestStateIsPrivate(t *testing.T) {
	for _, shared := range []string{".", "jobs", "jobs/hubs"} {
		root := filepath.Join(t.TempDir(), "state")
		if _, err := openState(root, "hubs"); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(root, shared), 0o770); err != nil {
			t.Fatal(err)
		}
		var told *connector.Error
		if _, err := openState(root, "hubs"); !errors.As(err, &told) || !strings.Contains(told.Error(), "mode 0770") {
			t.Errorf("%s: %v", shared, err)
		}
	}
}
