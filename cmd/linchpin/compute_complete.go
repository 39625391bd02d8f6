package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/kernels"
)

// completeComputeFlags offers words for the flags that take one of a few. The strategies depend on the measure.
func completeComputeFlags(c *cobra.Command, o *computeOptions) error {
	words := map[string]func() []string{
		"measure":      measureNames,
		"device":       policy.Words,
		"devices":      func() []string { return []string{policy.AllDevices, "0,1"} },
		"precision":    kernels.Precisions,
		"parallel":     parallels,
		"weight-as":    func() []string { return []string{"length", "strength"} },
		"zero-weights": func() []string { return []string{"refuse", "skip"} },
		"reduce":       func() []string { return append(reduceModes(), kernels.Reductions()...) },
		"sources":      func() []string { return []string{"all"} },
		"targets":      func() []string { return []string{"all"} },
		"demand-of":    func() []string { return []string{demandOfBoth, demandOfSources} },
		"variant":      func() []string { spec, _ := kernels.Lookup(o.measure); return spec.Variants },
		"strategy": func() []string {
			spec, _ := kernels.Lookup(o.measure)
			return o.strategies(spec)
		},
	}
	for flag, list := range words {
		if c.Flags().Lookup(flag) == nil {
			continue // of another command
		}
		complete := func(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, w := range list() {
				if strings.HasPrefix(w, prefix) {
					out = append(out, w)
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		}
		if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
			return err // not reached while the flags above exist; a test completes each
		}
	}
	return nil
}
