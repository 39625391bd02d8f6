package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachCommand calls do for every command that a user can run.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	if c.Runnable() {
		do(c)
	}
	for _, sub := range c.Commands() {
		eachCommand(sub, do)
	}
}

func quietRoot(t *testing.T) *cobra.Command {
	t.Helper()
	t.Setenv("LINCHPIN_CONFIG", "")
	return newRootCommand(&app{stdout: io.Discard, stderr: io.Discard})
}

// TestEveryCommandIsInAGroup and has a place in the help.
func TestEveryCommandIsInAGroup(t *testing.T) {
	root := quietRoot(t)
	for _, c := range root.Commands() {
		if c.Runnable() && c.GroupID == "" {
			t.Errorf("%s is in no group: set GroupID", c.CommandPath())
		}
	}
}

// TestExamples parses the examples of every command: commands, flags and arguments are those that cobra accepts.
func TestExamples(t *testing.T) {
	eachCommand(quietRoot(t), func(c *cobra.Command) {
		if parent := c.Parent(); parent != nil && parent.Name() == "completion" { // cobra's own, explained in its text
			return
		}
		if strings.TrimSpace(c.Example) == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			if err := checkExample(t, c, strings.TrimSpace(line)); err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), line, err)
			}
		}
	})
}

func checkExample(t *testing.T, owner *cobra.Command, line string) error {
	line, _, _ = strings.Cut(line, " > ")
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	if len(words) == 0 || words[0] != "linchpin" {
		return fmt.Errorf("it does not begin with linchpin")
	}
	root := quietRoot(t) // a fresh one: flags keep their values
	c, rest, err := root.Find(words[1:])
	if err != nil {
		return err
	}
	if owner.HasParent() && c.CommandPath() != owner.CommandPath() && c.Parent().CommandPath() != owner.CommandPath() {
		return fmt.Errorf("it is one of %s", c.CommandPath())
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if c.Args == nil {
		return nil
	}
	return c.Args(c, c.Flags().Args())
}

// TestHelpIsGolden compares the help of linchpin, run, init and compute with what is on file: -update writes it.
func TestHelpIsGolden(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"init", "--help"},
		{"compute", "--help"}, {"help", "exit"}} {
		var out bytes.Buffer
		t.Setenv("LINCHPIN_CONFIG", "")
		if status := run(args, &out, io.Discard); status != 0 {
			t.Fatalf("%v: status %d", args, status)
		}
		name := strings.ReplaceAll(strings.Join(append([]string{"help"}, args...), "_"), "_--help", "")
		compareWithFile(t, filepath.Join("testdata", "help", strings.Replace(name, "help_help_", "help_", 1)+".txt"),
			out.String())
	}
}

// TestReference compares the pages of the reference with the commands: -update writes them.
func TestReference(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "reference")
	compareWithFile(t, filepath.Join(folder, "commands.md"), commandsPage(quietRoot(t)))
	compareWithFile(t, filepath.Join(folder, "exit-statuses.md"), exitPage())
}

func compareWithFile(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: go test ./cmd/linchpin -run 'Reference|Golden' -update writes it", err)
	}
	if d := cmp.Diff(string(have), want); d != "" {
		t.Errorf("%s is not what the commands say now: go test ./cmd/linchpin -run 'Reference|Golden' -update\n%s", path, d)
	}
}

func exitPage() string {
	var b strings.Builder
	b.WriteString(
		"# Exit statuses\n\nScripts can tell how a command ended by its exit status. A number never changes its meaning.\n" +
			"`linchpin help exit` prints this table.\n\n| status | meaning | cases |\n|---|---|---|\n")
	for _, m := range exitMeanings() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", m.status, m.short, strings.Join(m.details, "; "))
	}
	return b.String() + "\nThe file is generated from `cmd/linchpin/exit.go`.\n"
}

func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nEach command prints this with `--help`. The page is generated from the commands:\n" +
		"`go test ./cmd/linchpin -run Reference -update`. The exit statuses are explained in [exit-statuses.md](exit-statuses.md).\n")
	for _, g := range root.Groups() {
		title := strings.TrimSuffix(g.Title, ":")
		fmt.Fprintf(&b, "\n## %s\n\n| command | what it does |\n|---|---|\n", title)
		var members []*cobra.Command
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden && c.Name() != "help" {
				members = append(members, c)
			}
		}
		for _, c := range members {
			fmt.Fprintf(&b, "| [%s](#linchpin-%[1]s) | %s |\n", c.Name(), c.Short)
		}
		for _, c := range members {
			writeCommand(&b, c)
		}
	}
	fmt.Fprintf(&b, "\n## Flags of every command\n\n```text\n%s```\n", root.PersistentFlags().FlagUsages())
	return b.String()
}

func writeCommand(b *strings.Builder, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	long, statuses, _ := strings.Cut(c.Long, "\n\nEXIT STATUS\n")
	fmt.Fprintf(b, "\n### linchpin %s\n\n%s.\n\n```sh\n%s\n```\n\nExamples:\n\n```sh\n", c.Name(), c.Short, c.UseLine())
	for _, line := range strings.Split(c.Example, "\n") {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	fmt.Fprintf(b, "```\n\n```text\n%s\n```\n", long)
	flags, ofResearch := pflag.NewFlagSet("", pflag.ContinueOnError), researchFlags(c)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && ofResearch.Lookup(f.Name) == nil {
			flags.AddFlag(f)
		}
	})
	for _, part := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags", flags}, {"Flags for research", ofResearch}} {
		if part.flags.HasFlags() {
			fmt.Fprintf(b, "\n%s:\n\n```text\n%s```\n", part.title, part.flags.FlagUsages())
		}
	}
	var numbers []string
	for _, line := range strings.Split(statuses, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			numbers = append(numbers, words[0])
		}
	}
	if len(numbers) > 0 {
		fmt.Fprintf(b, "\nExit statuses: %s.\n", strings.Join(slices.Compact(numbers), ", "))
	}
}
