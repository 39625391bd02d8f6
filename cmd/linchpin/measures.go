package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/kernels"
)

// measuresResult is what measures --json prints: enough to make a command line of compute from, without a list of one's
// own.
type measuresResult struct {
	Measures []measureResult `json:"measures"`
	Options  []optionResult  `json:"options"`
}

// measureResult is one measure.
type measureResult struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	// Node and Edge define the scores; absent when the measure has none of that kind.
	Node string `json:"node,omitempty"`
	Edge string `json:"edge,omitempty"`
	// Weights is no, optional or required.
	Weights  string   `json:"weights"`
	Options  []string `json:"options"`
	Variants []string `json:"variants"`
	// Sources says that sources can be named, Samples that they can be drawn.
	Sources bool `json:"sources"`
	Samples bool `json:"samples"`
	// Seeded says that a seed chooses among results. Then weights are strengths.
	Seeded bool `json:"seeded"`
	// Bias is one line on drawn samples whose scores are wrong on average.
	Bias string `json:"bias,omitempty"`
}

// optionResult is an option of some measures. Type is bool, integer, number or text.
type optionResult struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Help string `json:"help"`
}

func newMeasuresCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "measures",
		GroupID: groupFiles,
		Short:   "List the measures, with their options",
		Long: `Lists the measures that jobs and linchpin compute have, with their options. --json prints the definitions of the
scores too.` + exitSection(statusDone, statusUsage),
		Example: `  linchpin measures
  linchpin measures --json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(allMeasures())
			}
			t := &table{header: []string{"MEASURE", "WEIGHTS", "OPTIONS", "THE SCORE OF A NODE SAYS"}}
			for _, m := range allMeasures().Measures {
				t.add(m.Name, m.Weights, strings.Join(m.Options, ", "), m.Summary)
			}
			return t.print(a.stdout)
		},
	}
}

func allMeasures() measuresResult {
	var r measuresResult
	for _, m := range kernels.Measures() {
		r.Measures = append(r.Measures, measureResult{
			Name: m.Name, Summary: m.Summary, Node: m.Node, Edge: m.Edge, Weights: weightWord(m.Weights),
			Options: append([]string{}, m.Options...), Variants: append([]string{}, m.Variants...),
			Sources: m.Kind.FromSources() || m.Kind.Restarts(), Samples: m.BySource, Seeded: m.Kind.Seeded(), Bias: m.Bias,
		})
	}
	for _, o := range kernels.Options() {
		r.Options = append(r.Options, optionResult{o.Name, optionType(o), o.Help})
	}
	return r
}

func weightWord(w kernels.WeightUse) string {
	switch w {
	case kernels.RequiredWeights:
		return "required"
	case kernels.OptionalWeights:
		return "optional"
	}
	return "no"
}

func optionType(o kernels.Option) string {
	switch o.In(&kernels.Params{}).(type) {
	case *bool, **bool:
		return "bool"
	case **int:
		return "integer"
	case *float64, **float64:
		return "number"
	}
	return "text"
}
