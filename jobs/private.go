package jobs

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/linchpin-graph/linchpin/connector"
)

// PrivateFolder makes a folder that only this user can read, since a graph may be confidential. It refuses a folder
// that others own or can write: they could replace the graph and the scores in it.
func PrivateFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner, known := ownerOf(info)
	if !known {
		return nil
	}
	return refuseShared(dir, info.Mode(), owner, os.Geteuid())
}

// refuseShared refuses a folder by its mode and its owner. One of root's is as good as the user's own.
func refuseShared(dir string, mode fs.FileMode, owner, me int) error {
	if owner != me && owner != 0 {
		return &connector.Error{Msg: fmt.Sprintf("%s belongs to user %d, and linchpin runs as user %d", dir, owner, me),
			Hint: fmt.Sprintf("chown %d %s, or choose another folder (state, LINCHPIN_STATE)", me, dir)}
	}
	if mode.Perm()&0o022 != 0 {
		return &connector.Error{Msg: fmt.Sprintf("other users can write to %s (mode %04o)", dir, mode.Perm()),
			Hint: fmt.Sprintf("chmod go-w %s, or choose another folder (state, LINCHPIN_STATE)", dir)}
	}
	return nil
}
