package neo4jtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// installation is a server's jars in the cache folder, and the Java that runs them.
type installation struct {
	version, dir, java, javaVersion string
	// training is set while the class-data-sharing archive is made: the flag then writes it.
	training bool
}

// install returns a version of the server in the cache folder, fetching it first if it is not there. Processes that do
// so at the same time wait for one another.
func install(ctx context.Context, version string) (*installation, error) {
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	in := &installation{version: version, dir: filepath.Join(cache, "neo4j-unsigned-"+version)}
	if err := in.findJava(ctx, cache); err != nil {
		return nil, err
	}
	if in.complete() {
		return in, nil
	}
	unlock, err := lockFile(ctx, in.dir+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := in.fetch(ctx); err != nil {
		return nil, err
	}
	return in, in.archive(ctx)
}

func cacheFolder() (string, error) {
	dir := os.Getenv("LINCHPIN_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("neo4jtest: no cache folder: %w; set LINCHPIN_CACHE", err)
		}
		dir = filepath.Join(user, "linchpin")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o755)
}

func (in *installation) complete() bool {
	_, err := os.Stat(in.archiveFile())
	return err == nil
}

// calendar says that the version is one of those named by year, which need a newer Java and start from another class.
func (in *installation) calendar() bool { return strings.HasPrefix(in.version, "20") }

// mainClass is where the server starts.
func (in *installation) mainClass() string {
	if in.calendar() {
		return "org.neo4j.server.Neo4jCommunity"
	}
	return "org.neo4j.server.CommunityEntryPoint"
}

// jars lists the server's jars.
func (in *installation) jars() []string { return jarsIn(filepath.Join(in.dir, "lib")) }

// jarsIn lists a folder's jars in a fixed order, as an archive of their classes demands.
func jarsIn(folder string) []string {
	jars, _ := filepath.Glob(filepath.Join(folder, "*.jar"))
	slices.Sort(jars)
	return jars
}

// fetch lets Maven copy the server's jars, if they are not there.
func (in *installation) fetch(ctx context.Context) error {
	if len(in.jars()) > 0 {
		return nil
	}
	return fetchJars(ctx, in.dir, "org.neo4j:neo4j:"+in.version)
}

// lockFile waits until this process alone holds the lock.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("neo4jtest: wait for %s: %w", path, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
