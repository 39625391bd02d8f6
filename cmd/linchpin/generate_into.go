package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/export/generate"
)

// intoOptions are the flags of generate for a database.
type intoOptions struct {
	server      initOptions
	label, kind string
}

func (o *intoOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.server.from, "into", "", "`URI` of a Neo4j server that the graph goes into, instead of --out")
	f.StringVar(&o.label, "label", "Node", "`LABEL` of the nodes, with --into; there must be none yet")
	f.StringVar(&o.kind, "type", "EDGE", "`TYPE` of the relationships, with --into")
	f.StringVar(&o.server.database, "database", "", "`NAME` of the database, with --into (or LINCHPIN_NEO4J_DATABASE)")
	f.StringVar(&o.server.username, "username", "", "`NAME` of the user, with --into (or LINCHPIN_NEO4J_USERNAME)")
	f.StringVar(&o.server.passwordFile, "password-file", "",
		"`FILE` with the password, with --into (or LINCHPIN_NEO4J_PASSWORD_FILE, LINCHPIN_NEO4J_PASSWORD)")
}

// check finds flags that do not go together.
func (o *intoOptions) check(out string, given map[string]bool) error {
	into := o.server.from != ""
	switch {
	case into && out != "":
		return usagef("--out and --into exclude one another")
	case given["into"] && !into:
		return withHint(usagef("--into names no server"), "such as neo4j://localhost:7687")
	case into && (o.label == "" || o.kind == ""):
		return usagef("--label and --type must not be blank")
	}
	for _, flag := range []string{"label", "type", "database", "username", "password-file"} {
		if given[flag] && !into {
			return withHint(usagef("--%s goes with --into", flag), "add --into URI")
		}
	}
	return nil
}

// intoDatabase puts the graph into a database while it is made.
func (o *generateOptions) intoDatabase(ctx context.Context, a *app) error {
	o.into.server.flag = "into"
	c, err := o.into.server.connection("into")
	if err != nil {
		return err
	}
	return a.connected(ctx, c, func(ctx context.Context, _ *config.Config, db *neo4j.DB) error {
		start := time.Now()
		size, err := o.load(ctx, db)
		if err != nil {
			return err
		}
		if a.json {
			took := time.Since(start).Seconds()
			return a.printJSON(generated{o.spec.Kind, size.Nodes, size.Edges, took, took, o.into.server.from})
		}
		if !a.quiet {
			fmt.Fprintf(a.stdout, "wrote %s: %s (:%s), %s [:%s]\n", db.Server().Database, counted(size.Nodes, "node"),
				o.into.label, counted(int(size.Edges), "relationship"), o.into.kind)
		}
		return nil
	})
}

// load makes the graph and loads it.
func (o *generateOptions) load(ctx context.Context, db *neo4j.DB) (generate.Size, error) {
	weight := ""
	if o.spec.Weights != generate.NoWeights {
		weight = file.WeightColumn
	}
	l, err := db.NewLoader(ctx, o.into.label, o.into.kind, weight)
	if err != nil {
		return generate.Size{}, err
	}
	size, err := generate.Edges(ctx, o.spec, os.TempDir(), func(b generate.Batch) error {
		if nodes, _ := l.Written(); nodes == 0 {
			if err := l.Nodes(ctx, b.Nodes); err != nil {
				return err
			}
		}
		return l.Edges(ctx, b.Source, b.Target, b.Weights)
	})
	if nodes, _ := l.Written(); err == nil && nodes == 0 { // no edge
		err = l.Nodes(ctx, size.Nodes)
	}
	return size, generateError(err)
}
