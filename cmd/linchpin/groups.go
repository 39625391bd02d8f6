package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of commands, in the order of the help.
const (
	groupDaily    = "daily"
	groupSetup    = "setup"
	groupFiles    = "files"
	groupBatch    = "batch"
	groupResearch = "research"
)

func commandGroups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupDaily, Title: "Daily work:"},
		{ID: groupSetup, Title: "Setting up:"},
		{ID: groupFiles, Title: "Graphs in files, without a server:"},
		{ID: groupBatch, Title: "Batch systems, many machines for one run:"},
		{ID: groupResearch, Title: "Research and measurements:"},
	}
}

// research is the annotation of flags that only research needs.
const research = "research"

// markResearch puts flags under a heading of their own, after all others, in the help of a command.
func markResearch(c *cobra.Command, names ...string) {
	flags := c.Flags()
	for _, name := range names {
		f := flags.Lookup(name)
		f.Annotations = map[string][]string{research: {"true"}}
	}
	usage := c.UsageFunc()
	c.SetUsageFunc(func(c *cobra.Command) error {
		for _, name := range names {
			flags.Lookup(name).Hidden = true
		}
		err := usage(c)
		for _, name := range names {
			flags.Lookup(name).Hidden = false
		}
		c.Printf("\nResearch Flags:\n%s", researchFlags(c).FlagUsages())
		return err
	})
}

// researchFlags are the flags of a command that only research needs.
func researchFlags(c *cobra.Command) *pflag.FlagSet {
	out := pflag.NewFlagSet(research, pflag.ContinueOnError)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[research] != nil {
			out.AddFlag(f)
		}
	})
	return out
}
