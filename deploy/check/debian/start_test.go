package debian

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/demo/movies"
	"github.com/linchpin-graph/linchpin/internal/doctest"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestFromNothingToScores does what docs/start.md says, in a Debian with the package and nothing else, on the movies
// graph. The documentation promises at most five commands.
func TestFromNothingToScores(t *testing.T) {
	block := startBlock(t)
	if n := len(block.Commands()); n == 0 || n > 5 {
		t.Fatalf("docs/start.md takes %d commands to scores, page and report; 1 to 5 are promised", n)
	}
	report := regexp.MustCompile(`(?m)^linchpin report (\S+) -o (\S+)$`).FindStringSubmatch(block.Text)
	if report == nil {
		t.Fatalf("docs/start.md makes no report of a job: %s", block.Text)
	}
	job, file := report[1], report[2]
	server := neo4jtest.StartFor(t, neo4jtest.Options{Password: "password"})
	for _, statement := range movies.Statements() {
		server.Query(t, statement, nil)
	}
	r := newRoot(t)
	r.run("dpkg", "-i", r.deb("linchpin_*_amd64.deb"))
	listen := freeAddress(t)
	shell := r.start(block, server, listen)

	top, scores := highest(t, server)
	for address, words := range map[string][]string{"": top, "/scores.csv?of=nodes": scores} {
		if page := pageWith("http://"+listen+"/jobs/"+job+address, words); page != "" {
			t.Errorf("the page of %s, %s, does not have all of %q: %s", job, address, words, page)
		}
	}
	if html := r.read("/root/" + file); !hasAll(html, top) {
		t.Errorf("the report does not have all of %q: %d bytes", top, len(html))
	}
	if err := shell.Close(); err != nil {
		t.Error(err)
	}
}

// startBlock returns the first block of commands under the heading that promises scores.
func startBlock(t *testing.T) doctest.Block {
	t.Helper()
	page, err := os.ReadFile("../../../docs/start.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range doctest.Blocks(doctest.Section(string(page), "From nothing to scores")) {
		if b.Language == "sh" {
			return b
		}
	}
	t.Fatal(`docs/start.md has no commands under "From nothing to scores"`)
	return doctest.Block{}
}

// start types the commands of the page into a shell of the root. Only the addresses are others than on the page.
func (r root) start(block doctest.Block, server *neo4jtest.Server, listen string) *doctest.Shell {
	r.t.Helper()
	c := r.command("", "bash")
	c.Env = append(c.Env, "HOME=/root", "LINCHPIN_SERVE_LISTEN="+listen)
	shell, err := doctest.StartShell(c)
	if err != nil {
		r.t.Fatal(err)
	}
	here := strings.NewReplacer("localhost:7687", fmt.Sprintf("127.0.0.1:%d", server.Port()))
	if printed, err := shell.Do("cd\n" + here.Replace(block.Text)); err != nil {
		r.t.Fatalf("docs/start.md: %v: %s", err, printed)
	}
	return shell
}

// highest returns the highest scores in the database and whose they are. All relationships have scores, too.
func highest(t *testing.T, server *neo4jtest.Server) (names, scores []string) {
	t.Helper()
	relationships := server.Query(t,
		"MATCH ()-[r:ACTED_IN]->() RETURN count(r) AS all, count(r.betweenness) AS scored", nil)[0]
	if relationships["all"] != relationships["scored"] {
		t.Errorf("relationships with a score: %v", relationships)
	}
	for _, row := range server.Query(t, `MATCH (n) WHERE n.betweenness IS NOT NULL
		RETURN coalesce(n.name, n.title) AS name, n.betweenness AS score ORDER BY n.betweenness DESC LIMIT 3`, nil) {
		names = append(names, row["name"].(string))
		scores = append(scores, strconv.FormatFloat(row["score"].(float64), 'f', -1, 64))
	}
	if len(names) != 3 || names[0] != "Tom Hanks" {
		t.Fatalf("the highest scores in the database are those of %q, and not of Tom Hanks", names)
	}
	return names, scores
}

// pageWith waits until a page has all words, and returns it if that does not happen.
func pageWith(address string, words []string) string {
	text := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		answer, err := http.Get(address)
		if err != nil {
			text = err.Error()
			continue
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if text = string(body); answer.StatusCode == http.StatusOK && hasAll(text, words) {
			return ""
		}
	}
	return text
}

func hasAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
