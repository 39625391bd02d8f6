package neo4jtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const projectText = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>linchpin</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>%s</dependencies>
</project>
`

// copyDependencies is the Maven goal that fetches a project's dependencies, at a fixed version.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// fetchJars lets Maven copy artifacts, "group:artifact:version", and all that they need into folder/lib. The folder
// takes its name when it is complete.
func fetchJars(ctx context.Context, folder string, artifacts ...string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("neo4jtest: fetching Neo4j needs Maven: install it (Debian, Ubuntu: apt install maven; macOS: " +
			"brew install maven)")
	}
	tmp, err := os.MkdirTemp(filepath.Dir(folder), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var dependencies strings.Builder
	for _, a := range artifacts {
		part := strings.Split(a, ":")
		fmt.Fprintf(&dependencies,
			"<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>", part[0], part[1],
			part[2])
	}
	if err := os.WriteFile(filepath.Join(tmp, "pom.xml"), fmt.Appendf(nil, projectText, &dependencies),
		0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, mvn, "-B", "-q", copyDependencies, "-DincludeScope=runtime", "-DoutputDirectory=lib")
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("neo4jtest: fetch %s with Maven: %w\n%s", strings.Join(artifacts, ", "), err, out)
	}
	if err := unsign(filepath.Join(tmp, "lib")); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, folder)
}

// GDSVersion is the version of the Graph Data Science library.
const GDSVersion = "2.13.9"

// plug links the Graph Data Science library into the server's plugins.
func (s *Server) plug(ctx context.Context) error {
	if !s.options.GDS {
		return nil
	}
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	folder := filepath.Join(cache, "gds-"+GDSVersion)
	unlock, err := lockFile(ctx, folder+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if len(jarsIn(filepath.Join(folder, "lib"))) == 0 {
		if err := fetchJars(ctx, folder, "org.neo4j.gds:proc:"+GDSVersion,
			"org.neo4j.gds:opengds-extension:"+GDSVersion); err != nil {
			return err
		}
	}
	for _, jar := range jarsIn(filepath.Join(folder, "lib")) {
		// A start loads every class of the plugins to look for procedures. Jars without any are on the class path alone.
		to := filepath.Join(s.home, "needed")
		if strings.Contains(filepath.Base(jar), "proc-") {
			to = filepath.Join(s.home, "plugins")
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
		if err := os.Symlink(jar, filepath.Join(to, filepath.Base(jar))); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
