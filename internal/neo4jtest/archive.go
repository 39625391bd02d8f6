package neo4jtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// archiveFile holds the server's classes in the form that this very Java maps into memory: it halves the time of a
// start. Its presence also says that the installation is complete.
func (in *installation) archiveFile() string {
	sum := sha256.Sum256([]byte(in.java + "\n" + in.javaVersion))
	return filepath.Join(in.dir, fmt.Sprintf("classes-%x.jsa", sum[:6]))
}

func (in *installation) archiveFlags() []string {
	if in.training {
		return []string{"-XX:ArchiveClassesAtExit=" + in.archiveFile() + ".new"}
	}
	// Java goes on without an archive that does not fit.
	return []string{"-XX:SharedArchiveFile=" + in.archiveFile(), "-Xlog:cds=off", "-Xlog:cds+dynamic=off"}
}

// archive starts and stops a server once, which leaves the archive. The caller holds the lock of the installation.
func (in *installation) archive(ctx context.Context) error {
	if in.complete() {
		return nil
	}
	in.training = true
	defer func() { in.training = false }()
	s, err := startFrom(ctx, in, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Stop(); err != nil {
		return err
	}
	made := in.archiveFile() + ".new"
	if _, err := os.Stat(made); err != nil {
		// Some Javas cannot make one. An empty file says not to try again.
		if err := os.WriteFile(made, nil, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(made, in.archiveFile())
}
