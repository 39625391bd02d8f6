package neo4jtest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ofTests are settings for tests.
var ofTests = map[string]string{
	// They fill empty databases: plans would be made again every ten seconds, for databases as small as before.
	"dbms.cypher.min_replan_interval": "10h",
	// A plan serves parameters of any length, where there would be one for each power of ten.
	"internal.cypher.use_parameter_size": "false",
	// Ids of what earlier tests have deleted are not given away again, so that ids are in the order in which a test
	// creates.
	"internal.db.idcontroller.maintenance_interval": "10h",
}

// settings returns what goes into neo4j.conf.
func (s *Server) settings() map[string]string {
	c := map[string]string{
		"server.default_listen_address":  "127.0.0.1",
		"server.bolt.listen_address":     fmt.Sprintf("127.0.0.1:%d", s.port),
		"server.bolt.advertised_address": fmt.Sprintf("127.0.0.1:%d", s.port),
		"server.http.enabled":            "false",
		"server.https.enabled":           "false",
		"dbms.usage_report.enabled":      "false",
		"dbms.security.auth_enabled":     fmt.Sprint(s.options.Password != ""),
		"server.memory.pagecache.size":   "256m",
		// A fresh home takes 2 MB instead of 516 MB.
		"db.tx_log.preallocate": "false",
		// A stop in good order takes 0.2 s instead of 10 s.
		"internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
	}
	if s.options.ofPool || testing.Testing() && !s.options.FullJIT {
		maps.Copy(c, ofTests)
	}
	if s.options.ReadOnly {
		c["server.databases.read_only"] = "neo4j"
	}
	if limit := s.options.TransactionMemory; limit != "" {
		c["db.memory.transaction.total.max"] = limit
	}
	if s.options.GDS {
		c["dbms.security.procedures.unrestricted"] = "gds.*"
	}
	maps.Copy(c, s.options.Conf)
	return c
}

func (s *Server) configure() error {
	for _, folder := range []string{"conf", "plugins", "logs"} {
		if err := os.MkdirAll(filepath.Join(s.home, folder), 0o700); err != nil {
			return err
		}
	}
	var text strings.Builder
	c := s.settings()
	for _, key := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&text, "%s=%s\n", key, c[key])
	}
	return os.WriteFile(filepath.Join(s.home, "conf", "neo4j.conf"), []byte(text.String()), 0o600)
}

// command returns the program and arguments that run a class of the server.
func (s *Server) command(class string, args ...string) []string {
	heap := s.options.Heap
	if heap == "" {
		heap = "512m"
	}
	c := []string{s.install.java, "-Xms" + heap, "-Xmx" + heap, "-Dio.netty.tryReflectionSetAccessible=true",
		"-Dlog4j2.disable.jmx=true", "--enable-native-access=ALL-UNNAMED"}
	for _, p := range []string{"nio", "io"} {
		c = append(c, "--add-opens=java.base/java."+p+"=ALL-UNNAMED")
	}
	c = append(c, "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
	if s.options.FullJIT {
		c = append(c, "-XX:+UseParallelGC")
	} else {
		// By default, C1 alone has 48 MB for compiled code. Planning fills them within minutes. Java then drops most
		// of the code and compiles it again.
		c = append(c, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")
		if s.options.ofPool {
			c = append(c, "-XX:CompileThresholdScaling=0.2") // compiles methods early
		}
	}
	c = append(c, s.install.archiveFlags()...)
	jars := s.install.jars()
	for _, folder := range []string{"plugins", "needed"} {
		jars = append(jars, jarsIn(filepath.Join(s.home, folder))...)
	}
	c = append(c, "-cp", strings.Join(jars, ":"), class)
	return append(c, args...)
}

// setPassword stores the first password of the user neo4j, which can be done only while the server has never run.
func (s *Server) setPassword(ctx context.Context) error {
	if s.options.Password == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.data(), "databases")); err == nil {
		return nil // a home that has run before keeps its password
	}
	if err := s.configure(); err != nil {
		return err
	}
	if err := s.admin(ctx, "dbms", "set-initial-password", s.options.Password); err != nil {
		return fmt.Errorf("neo4jtest: set the first password: %w", err)
	}
	return nil
}

// importFiles fills the database from files, which can be done only while the server does not run.
func (s *Server) importFiles(ctx context.Context) error {
	if len(s.options.Import) == 0 {
		return nil
	}
	if err := s.configure(); err != nil {
		return err
	}
	if err := s.admin(ctx, append([]string{"database", "import", "full", "neo4j"}, s.options.Import...)...); err != nil {
		return fmt.Errorf("neo4jtest: import: %w", err)
	}
	return nil
}

// admin runs a command of neo4j-admin.
func (s *Server) admin(ctx context.Context, command ...string) error {
	args := s.command("org.neo4j.cli.AdminTool", command...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "NEO4J_HOME="+s.home, "NEO4J_CONF="+filepath.Join(s.home, "conf"))
	cmd.Dir = s.home // where it leaves its report
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
