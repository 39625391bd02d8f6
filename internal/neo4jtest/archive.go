package neo4jtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// archiveFile holds the server's classes, those that plan statements too, in the form that this very Java maps into
// memory: it halves the time of a start. Its presence also says that the installation is complete.
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

// usual are statements like those of tests: whatever plans and runs them goes into the archive.
var usual = []string{
	"CREATE CONSTRAINT usual IF NOT EXISTS FOR (n:A) REQUIRE n.id IS UNIQUE",
	"CREATE INDEX usual_k IF NOT EXISTS FOR (n:A) ON (n.k, n.l)",
	"CALL db.awaitIndexes(60)",
	"UNWIND range(0, 99) AS i CREATE (:A {id: i, k: i % 5, l: datetime()})",
	"MATCH (a:A) UNWIND [1, 7] AS d MATCH (b:A {id: a.id + d}) CREATE (a)-[:R {w: 1.5}]->(b)",
	"MERGE (l:L {name: 'a'}) ON CREATE SET l.x = 1 ON MATCH SET l.x = coalesce(l.x, 0) + 1 RETURN l.x",
	"MATCH (a:A)-[r:R]->(b:A) WHERE a.k > 1 AND r.w IS NOT NULL RETURN id(r), id(a), id(b), r.w ORDER BY id(r) SKIP 1 LIMIT 50",
	"MATCH (a:A) WHERE id(a) IN [0, 1, 2] OPTIONAL MATCH (a)<-[r]-() WITH a, count(r) AS n, collect(r) AS rs RETURN a, n, rs",
	"UNWIND [{id: 0, x: 1.0}, {id: 1, x: 2.0}] AS row MATCH (a) WHERE id(a) = row.id SET a.x = row.x, a:B REMOVE a.y RETURN count(*)",
	"MATCH (a:A) CALL { WITH a MATCH (a)-->(b) RETURN count(b) AS n } RETURN a.id, n, [k IN keys(a) WHERE k STARTS WITH 'k' | k] AS ks",
	"MATCH (a:A) WHERE EXISTS { (a)-[:R]->() } AND COUNT { (a)--() } > 1 RETURN CASE WHEN a.k = 1 THEN 'x' ELSE toString(a.k) END",
	"SHOW CONSTRAINTS YIELD name", "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'",
	"SHOW TRANSACTIONS YIELD transactionId", "CALL db.labels() YIELD label RETURN label", "CALL dbms.components()",
	"SHOW DATABASES YIELD name", "MATCH (n) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 20 ROWS",
}

// systemFolder holds the files of the database system, as a first start leaves them among the server's data. A server
// that finds them there starts in six sevenths of the time.
func (in *installation) systemFolder() string { return filepath.Join(in.dir, "system") }

// keepSystem copies the files of the database system from a server that has stopped, unless they are there, from
// another Java. They hold the language of the database neo4j. Tests of a version named by year choose that, so it keeps
// none.
func (in *installation) keepSystem(s *Server) error {
	if in.calendar() || isFolder(in.systemFolder()) {
		return nil
	}
	unfinished := in.systemFolder() + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	for _, part := range []string{"databases/system", "transactions/system"} {
		if err := os.CopyFS(filepath.Join(unfinished, part), os.DirFS(filepath.Join(s.data(), part))); err != nil {
			return err
		}
	}
	return os.Rename(unfinished, in.systemFolder())
}

// giveSystem lets a server that has no data yet begin with these files, if there are any. They hold the password, so
// one that has a password makes its own.
func (s *Server) giveSystem() error {
	if s.options.Password != "" || isFolder(s.data()) || !isFolder(s.install.systemFolder()) {
		return nil
	}
	return os.CopyFS(s.data(), os.DirFS(s.install.systemFolder()))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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
	for _, statement := range usual {
		if _, err := s.query(ctx, statement, nil); err != nil {
			return fmt.Errorf("neo4jtest: %s: %w", statement, err)
		}
	}
	if err := errors.Join(s.Stop(), in.keepSystem(s)); err != nil {
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
