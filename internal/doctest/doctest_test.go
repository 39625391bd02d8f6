package doctest

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# A page\n\n```console\n$ linchpin run \\\n    hubs\nhubs: done\n$ ls\n```\n\n" +
	"<!-- not run: needs a cluster -->\n```sh\n# first\nkubectl get pods\n\nkubectl get jobs\n```\n\n" +
	"<!-- given: movies, graph.csv -->\n\n````md\n```sh\nnot a command\n```\n````\n" +
	"<!-- given: movies, graph.csv -->\n```sh\nls\n```\n<!-- file: a.yml -->\n```yaml\na: 1\n```\n<!-- run -->\n```cypher\nRETURN 1\n```\n" +
	"<!-- status: 1 -->\n```sh\nfalse\n```\n"

func TestBlocks(t *testing.T) {
	want := []Block{
		{Language: "console", Line: 3, Text: "$ linchpin run \\\n    hubs\nhubs: done\n$ ls\n"},
		{Language: "sh", Reason: "needs a cluster", Line: 11, Text: "# first\nkubectl get pods\n\nkubectl get jobs\n"},
		{Language: "md", Line: 20, Text: "```sh\nnot a command\n```\n"},
		{Language: "sh", Given: []string{"movies", "graph.csv"}, Line: 26, Text: "ls\n"},
		{Language: "yaml", File: "a.yml", Line: 30, Text: "a: 1\n"},
		{Language: "cypher", Run: true, Line: 34, Text: "RETURN 1\n"},
		{Language: "sh", Status: "1", Line: 38, Text: "false\n"},
	}
	if diff := cmp.Diff(want, Blocks(page)); diff != "" {
		t.Error(diff)
	}
}

func TestExchanges(t *testing.T) {
	want := [][]Exchange{
		{{"linchpin run hubs", "hubs: done\n"}, {"ls", ""}},
		{{"kubectl get pods", ""}, {"kubectl get jobs", ""}},
		nil,
	}
	for i, b := range Blocks(page)[:3] {
		if diff := cmp.Diff(want[i], b.Exchanges()); diff != "" {
			t.Errorf("block %d: %s", i, diff)
		}
	}
}

func TestSection(t *testing.T) {
	const text = "# Page\na\n## From nothing to it\nb\n### More\nc\n## Next\nd\n"
	if got := Section(text, "From nothing"); got != "b\n### More\nc\n" {
		t.Errorf("%q", got)
	}
	if got := Section(text, "nothing"); got != "" {
		t.Errorf("%q", got)
	}
}

func TestShows(t *testing.T) {
	const printed = "time=2026-11-25T15:42:45.769Z level=INFO msg=export job=hubs seconds=0.439 result=\"3504 nodes\"\n" +
		"time=2026-11-25T15:42:46.769Z level=INFO msg=progress job=hubs step=write done=35504\n" +
		"time=2026-11-25T15:42:47.769Z level=INFO msg=compute job=hubs seconds=12 result=cpu\n" +
		"hubs: done in 3.6 s, at most 285.1 MiB\n  next: linchpin top hubs\n\n"
	for shown, want := range map[string]bool{
		"hubs: done in 1 s, at most 1 GiB\n next: linchpin top hubs\n":                                       true,
		"hubs: done in 1 s, at … GiB\n…\n":                                                                   false,
		"hubs: done in 1 s, at …\n…\n":                                                                       true,
		"hubs: done in 1 s, at most 3 nodes\n…\n":                                                            false,
		"hubs: done in 1 s, at most 1 GiB\n":                                                                 false,
		"…\n  next: linchpin top hubs\n…\n\n":                                                                true,
		"hubs: export  1.0s  3504 nodes\nhubs: compute  2.0s  cpu\nhubs: done …\n next: linchpin top hubs\n": true,
		"hubs: export  1.0s  3504 nodes\n…\nhubs: done in 1 s, at most 1 KiB\n  next: linchpin top hubs\n":   true,
		"hubs: export  1.0s  3505 nodes\n…\nhubs: done in 1 s, at most 1 KiB\n  next: linchpin top hubs\n":   false,
		"hubs: export  1.0s  3504 nodes\nhubs: done in 1 s, at most 1 KiB\n  next: linchpin top hubs\n":      false,
	} {
		if Shows(shown, printed) != want {
			t.Errorf("%s: %v", shown, !want)
		}
	}
}

func TestShell(t *testing.T) {
	c := exec.Command("bash")
	c.Dir = t.TempDir()
	s, err := StartShell(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ commands, want string }{
		{"mkdir a && cd a\nexport WHO='you there'\n", ""},
		{"basename \"$PWD\"; echo \"it's $WHO\" >&2; sleep 600 &\n", "a\nit's you there\n"},
		{"cat", ""},
	} {
		if got, err := s.Do(step.commands); err != nil || got != step.want {
			t.Errorf("%s prints %q, %v", step.commands, got, err)
		}
	}
	if got, err := s.Fail("echo no; (exit 3)", "3"); err != nil || got != "no\n" {
		t.Errorf("a failure that is wanted prints %q, %v", got, err)
	}
	if got, err := s.Do("echo one\nfalse\necho two"); err == nil || got != "one\nexit status 1 of: false\n" {
		t.Errorf("a failure prints %q, %v", got, err)
	}
	if err := s.Close(); err == nil {
		t.Error("a shell that failed ends well")
	}
}

func TestServicesRunInBackground(t *testing.T) {
	for _, line := range []string{"linchpin serve", "linchpin serve &", "linchpin serve   # the page is at /"} {
		want := `end_service; linchpin serve >"$HOME/service.log" 2>&1 & begin_service $!`
		if got := inBackground(line); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
	got := inBackground("a\nlinchpin serve --recompute 2>serve.log &    # now\nb")
	if !strings.Contains(got,
		`linchpin serve >"$HOME/service.log" 2>&1 --recompute 2>serve.log & begin_service $!`+"\nb") {
		t.Error(got)
	}
}
