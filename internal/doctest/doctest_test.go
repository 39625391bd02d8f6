package doctest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# A page\n\n```console\n$ linchpin run \\\n    hubs\nhubs: done\n$ ls\n```\n\n" +
	"<!-- not run: needs a cluster -->\n```sh\n# first\nkubectl get pods\n\nkubectl get jobs\n```\n\n" +
	"````md\n```sh\nnot a command\n```\n````\n"

func TestBlocks(t *testing.T) {
	want := []Block{
		{Language: "console", Line: 3, Text: "$ linchpin run \\\n    hubs\nhubs: done\n$ ls\n"},
		{Language: "sh", Reason: "needs a cluster", Line: 11, Text: "# first\nkubectl get pods\n\nkubectl get jobs\n"},
		{Language: "md", Line: 18, Text: "```sh\nnot a command\n```\n"},
	}
	if diff := cmp.Diff(want, Blocks(page)); diff != "" {
		t.Error(diff)
	}
}

func TestCommands(t *testing.T) {
	want := [][]string{{"linchpin run hubs", "ls"}, {"kubectl get pods", "kubectl get jobs"}, nil}
	for i, b := range Blocks(page) {
		if diff := cmp.Diff(want[i], b.Commands()); diff != "" {
			t.Errorf("block %d: %s", i, diff)
		}
	}
}
