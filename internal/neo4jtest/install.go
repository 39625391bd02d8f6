package neo4jtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// installation is a server's jars in the cache folder, and the Java that runs them.
type installation struct {
	dir, java, javaVersion string
	// training is set while the class-data-sharing archive is made: the flag then writes it.
	training bool
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>linchpin</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>` + Version + `</version></dependency>
  </dependencies>
</project>
`

// copyDependencies is the Maven goal that fetches a project's dependencies, at a fixed version.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// install returns the server in the cache folder, fetching it first if it is not there. Processes that do so at the
// same time wait for one another.
func install(ctx context.Context) (*installation, error) {
	in := &installation{}
	if err := in.findJava(ctx); err != nil {
		return nil, err
	}
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	in.dir = filepath.Join(cache, "neo4j-"+Version)
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

// jars lists the server's jars.
func (in *installation) jars() []string { return jarsIn(filepath.Join(in.dir, "lib")) }

// jarsIn lists a folder's jars in a fixed order, as an archive of their classes demands.
func jarsIn(folder string) []string {
	jars, _ := filepath.Glob(filepath.Join(folder, "*.jar"))
	slices.Sort(jars)
	return jars
}

// fetch lets Maven copy the jars to a folder of its own, which takes its name when it is complete.
func (in *installation) fetch(ctx context.Context) error {
	if len(in.jars()) > 0 {
		return nil
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("neo4jtest: fetching Neo4j needs Maven: install it (Debian, Ubuntu: apt install maven; macOS: brew install maven)")
	}
	tmp, err := os.MkdirTemp(filepath.Dir(in.dir), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.WriteFile(filepath.Join(tmp, "pom.xml"), []byte(pom), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, mvn, "-B", "-q", copyDependencies, "-DincludeScope=runtime", "-DoutputDirectory=lib")
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("neo4jtest: fetch Neo4j %s with Maven: %w\n%s", Version, err, out)
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, in.dir)
}

var javaVersion = regexp.MustCompile(`version "(\d+)[^"]*"`)

func (in *installation) findJava(ctx context.Context) error {
	in.java = "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		in.java = filepath.Join(home, "bin", "java")
	}
	const hint = "install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17) or set JAVA_HOME"
	out, err := exec.CommandContext(ctx, in.java, "-version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("neo4jtest: Neo4j needs Java 17 or later, and %s does not run: %w; %s", in.java, err, hint)
	}
	in.javaVersion = string(out)
	found := javaVersion.FindStringSubmatch(in.javaVersion)
	if found == nil {
		return fmt.Errorf("neo4jtest: %s -version says %q", in.java, in.javaVersion)
	}
	if major, err := strconv.Atoi(found[1]); err != nil || major < 17 {
		return fmt.Errorf("neo4jtest: Neo4j needs Java 17 or later, and %s is version %s; %s", in.java, found[1], hint)
	}
	return nil
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
