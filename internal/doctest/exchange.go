package doctest

import (
	"strings"
)

// Exchange is a command, and what the page shows of its output.
type Exchange struct {
	Command, Output string
}

// IsShell reports whether the block holds commands.
func (b Block) IsShell() bool { return b.Language == "sh" || b.Language == "console" }

// Commands returns the commands of a block: each line of sh, and in console those after a prompt, the rest being
// output. A line that ends with a backslash goes on in the next; comments and empty lines are left out.
func (b Block) Commands() []string {
	var commands []string
	for _, e := range b.Exchanges() {
		commands = append(commands, e.Command)
	}
	return commands
}

// Exchanges returns the commands of a block, each with the output that follows it. A block of sh shows none.
func (b Block) Exchanges() []Exchange {
	if !b.IsShell() {
		return nil
	}
	var all []Exchange
	joined, continues := "", false
	for _, raw := range strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n") {
		line := strings.TrimSpace(raw)
		if b.Language == "console" && !continues {
			prompted, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				addOutput(all, raw)
				continue
			}
			line = prompted
		}
		line, continues = strings.CutSuffix(line, "\\")
		joined += line
		if continues {
			continue
		}
		if joined != "" && !strings.HasPrefix(joined, "#") {
			all = append(all, Exchange{Command: joined})
		}
		joined = ""
	}
	return all
}

// addOutput adds a line to what the last command prints.
func addOutput(all []Exchange, line string) {
	if len(all) > 0 {
		all[len(all)-1].Output += line + "\n"
	}
}
