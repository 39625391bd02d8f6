package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// app is what every command shares.
type app struct {
	globals
	stdout, stderr io.Writer
	// started is set once flags and arguments are understood: an error before that is one of usage.
	started bool
}

// run runs one command line and returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	a := &app{stdout: out, stderr: stderr}
	ctx, stop := untilInterrupted(context.Background(), func(message string) { a.tell(slog.LevelInfo, message, "") })
	defer stop()
	hostmem.Guard()
	root := newRootCommand(a)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
	case !a.started:
		err = asFlagError(c, err)
	case ctx.Err() != nil && !errors.Is(err, context.Canceled): // whatever failed, it failed because it was stopped
		err = fmt.Errorf("%w: %w", context.Canceled, err)
	}
	if err == nil {
		err = out.err // of a command that did not look
	}
	if err == nil {
		return statusDone
	}
	printError(func(message, hint string) { a.tell(slog.LevelError, message, hint) }, err)
	return exitStatus(err)
}

// newRootCommand lists every command.
func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "linchpin",
		Short: "Centrality scores for the nodes and relationships of a Neo4j graph",
		Long: `linchpin exports subgraphs from Neo4j, computes centrality scores on a GPU or the CPU,
and writes them back as properties of nodes and relationships, so that Cypher can use them.

Begin with:
  linchpin try                                       what it is for, without a database
  linchpin init --from neo4j://localhost:7687        a first config, made from your database` +
			exitSection(statusDone, statusUsage),
		Example: `  linchpin init --from neo4j://localhost:7687
  linchpin run hubs
  linchpin top hubs`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              knownCommand,
		PersistentPreRunE: func(*cobra.Command, []string) error { a.started = true; return a.globals.check() },
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	a.globals.addFlags(root.PersistentFlags())
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.AddGroup(commandGroups()...)
	root.SetHelpCommandGroupID(groupSetup)
	root.SetCompletionCommandGroupID(groupSetup)
	root.AddCommand(
		newComputeCommand(a),
		newShardCommand(a),
		newMergeCommand(a),
		newNodeCommand(a),
		newNodesCommand(a),
		newDistancesCommand(a),
		newCompareCommand(a),
		newMeasuresCommand(a),
		newGenerateCommand(a),
		newTryCommand(a),
		newInitCommand(a),
		newValidateCommand(a),
		newJobsCommand(a),
		newEstimateCommand(a),
		newRunCommand(a),
		newTopCommand(a),
		newServeCommand(a),
		newTriggerCommand(a),
		newExportCommand(a),
		newHistoryCommand(a),
		newReportCommand(a),
		newRollbackCommand(a),
		newDropCommand(a),
		newDevicesCommand(a),
		newDoctorCommand(a),
		newVersionCommand(a),
		newManCommand(a),
		newExitTopic(),
	)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Long += exitSection(statusDone, statusUsage)
			c.Example = "  linchpin completion bash > /etc/bash_completion.d/linchpin"
			c.Args, c.RunE = knownCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
		case "help":
			c.Example = "  linchpin help run\n  linchpin help exit"
			c.Args = func(_ *cobra.Command, args []string) error { return knownCommand(root, args) }
		}
	}
	return root
}

// knownCommand refuses what is no command, and suggests one.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var all []string
	for _, sub := range c.Commands() {
		if sub.Name() == args[0] {
			return nil
		}
		if sub.IsAvailableCommand() {
			all = append(all, sub.Name())
		}
	}
	hint := c.CommandPath() + " --help lists the commands"
	if name, ok := nearest.Name(args[0], all); ok {
		hint = fmt.Sprintf("did you mean %q?", name)
	}
	return withHint(usagef("unknown command %q", args[0]), hint)
}

// noArgs refuses arguments and says which one is too many.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but there is %q", c.CommandPath(), args[0])
	}
	return nil
}

// oneArg asks for exactly one argument, by the name that the help gives it.
func oneArg(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("one %s at a time, but there is also %q", name, args[1])
		}
		return someArgs(name)(c, args)
	}
}

// someArgs asks for at least one argument, by the name that the help gives it.
func someArgs(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return withHint(usagef("%s is missing", name), fmt.Sprintf("%s --help says more", c.CommandPath()))
		}
		return nil
	}
}
