package jobs

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// judge looks at the exported graph. It collects the run's warnings, and refuses a graph that is over the job's limits:
// its scores would replace good ones.
func (r *run) judge(ctx context.Context) error {
	breaches, err := r.breaches(ctx)
	if err != nil {
		return err
	}
	if len(breaches) > 0 && !r.options.IgnoreLimits {
		return r.overLimits(breaches)
	}
	for _, b := range breaches {
		r.warn(b.text + " (ignored on request)")
	}
	for _, text := range Omissions(r.projection, r.snapshot) {
		r.warn(text)
	}
	return nil
}

func (r *run) warn(text string) {
	r.record.Warnings = append(r.record.Warnings, text)
	r.Reporter.Warn(text)
}

// Omissions says what a graph lacks, and what changed while it was exported. Relationships to nodes that the projection
// itself leaves out, by conditions or by a query, are no omission.
func Omissions(p connector.Projection, s *export.Snapshot) []string {
	if s == nil { // an estimate may not have read the graph
		return nil
	}
	var out []string
	if s.Rels.Len() == 0 {
		out = append(out, "no relationship joins two nodes of the graph: every score is that of a node alone")
	}
	d := s.Dropped
	if len(p.Where) > 0 || p.NodeQuery != "" {
		d.Dangling = 0
	}
	for _, c := range d.Causes() {
		out = append(out, fmt.Sprintf("%s left out: %s", counted(c.Count, "relationship"), c.What))
	}
	if changed := s.Read.Changed; changed != "" && p.OnChange != connector.IgnoreChange {
		out = append(out, "the database changed while it was exported: "+changed)
	}
	return out
}

// breach is a limit that a graph is over.
type breach struct {
	text  string
	allow string // the setting that would let the graph pass
}

func (r *run) breaches(ctx context.Context) ([]breach, error) {
	limits, nodes, relationships := r.job.Limits, r.record.Nodes, r.record.Relationships
	var out []breach
	tooFew := func(have, least int64, what, key string) {
		if have < least {
			out = append(out, breach{
				fmt.Sprintf("%s: limits.%s is %d", counted(have, what), key, least), fmt.Sprintf("%s: %d", key, have),
			})
		}
	}
	tooFew(nodes, limits.MinNodes, "node", "minNodes")
	tooFew(relationships, limits.MinRelationships, "relationship", "minRelationships")
	left := r.record.Dropped.BadWeight + r.record.Dropped.ZeroWeight
	if of := relationships + left; left > 0 && share(left, of) > limits.MaxLeftOut {
		out = append(out, breach{
			fmt.Sprintf("%d of %s (%s) left out for their weights: limits.maxLeftOut is %v", left, counted(of, "relationship"),
				percent(left, of), limits.MaxLeftOut),
			"maxLeftOut: " + roundedUp(share(left, of)),
		})
	}
	last, err := r.Database.LastSuccess(ctx, r.job.Name)
	if err != nil || last == nil {
		return out, err
	}
	return append(out, r.shrinkage(last)...), nil
}

// shrinkage compares with the last success. One breach stands for nodes and relationships alike: they have one limit.
func (r *run) shrinkage(last *connector.Run) []breach {
	most := 0.0
	var lost []string
	shrink := func(what string, before, now int64) {
		gone := before - now
		if gone > 0 && share(gone, before) > r.job.Limits.MaxShrink {
			lost = append(lost, fmt.Sprintf("%s became %d (%s fewer)", counted(before, what), now, percent(gone, before)))
			most = max(most, share(gone, before))
		}
	}
	shrink("node", last.Nodes, r.record.Nodes)
	shrink("relationship", last.Relationships, r.record.Relationships)
	if len(lost) == 0 {
		return nil
	}
	return []breach{{
		fmt.Sprintf("since the last success, run %s, %s: limits.maxShrink is %v", last.ID, strings.Join(lost, " and "),
			r.job.Limits.MaxShrink),
		"maxShrink: " + roundedUp(most),
	}}
}

// overLimits is the error of a run that its limits refuse.
func (r *run) overLimits(breaches []breach) error {
	var texts, allow []string
	for _, b := range breaches {
		texts, allow = append(texts, b.text), append(allow, b.allow)
	}
	msg := "the graph is over the job's limits, and nothing was written: " + strings.Join(texts, "; ")
	if omitted := Omissions(r.projection, r.snapshot); len(omitted) > 0 {
		msg += " (" + strings.Join(omitted, "; ") + ")"
	}
	return &connector.Error{
		Kind: connector.BadData, Msg: msg,
		Hint: fmt.Sprintf(
			"if the data is right, linchpin run %s --ignore-limits allows it once, and limits: {%s} under the job for good",
			r.job.Name, strings.Join(allow, ", ")),
	}
}

func share(part, of int64) float64 { return float64(part) / float64(max(of, 1)) }

// percent does not round up to 100 what is less.
func percent(part, of int64) string {
	return fmt.Sprintf("%.1f %%", math.Floor(1000*share(part, of))/10)
}

// roundedUp is a share with two decimals that is not below the exact one.
func roundedUp(share float64) string {
	return fmt.Sprint(min(1, math.Ceil(100*share)/100))
}

func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
