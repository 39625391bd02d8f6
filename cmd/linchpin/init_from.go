package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/kernels"
)

// runInitFrom writes a config with jobs for what is in the database.
func runInitFrom(ctx context.Context, a *app, o initOptions, path string) error {
	if err := checkNew(path, o.force); err != nil {
		return err
	}
	c, err := o.connection(path)
	if err != nil {
		return err
	}
	return a.connected(ctx, c, func(ctx context.Context, c *config.Config, db *neo4j.DB) error {
		found, err := db.Discover(ctx)
		if err != nil {
			return err
		}
		first := &firstConfig{server: db.Server(), neo4j: c.Neo4j, from: o.from, found: found}
		first.neo4j.PasswordFile = o.passwordFile
		if err := first.choose(ctx, db); err != nil {
			return err
		}
		text := first.text()
		// What cannot be read is a fault of ours: it is told now, and not when the user runs a job.
		if _, err := config.Parse(path, []byte(text), map[string]string{}, configChecks()); err != nil {
			return fmt.Errorf("the config for this database has a mistake: %w", err)
		}
		return a.writeConfig(path, text, o.force, first.told(path))
	})
}

// checkNew finds out before the server is asked that the file cannot be written.
func checkNew(path string, replace bool) error {
	if _, err := os.Stat(path); err == nil && !replace {
		return withHint(usagef("%s exists", path), "--force replaces it")
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".linchpin-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %s", path, plainReason(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// connection returns a config that says how to reach the server: by the flags, and by the environment for the rest.
func (o *initOptions) connection(path string) (*config.Config, error) {
	flag := "--" + cmp.Or(o.flag, "from")
	if o.from == "" {
		return nil, withHint(usagef("%s names no server", flag), "such as neo4j://localhost:7687")
	}
	environment := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		environment[name] = value
	}
	text := "version: 1\nneo4j:\n  uri: " + quoted(o.from) + "\n"
	delete(environment, "LINCHPIN_NEO4J_URI")
	for _, f := range []struct{ key, variable, value string }{
		{"database", "DATABASE", o.database}, {"username", "USERNAME", o.username},
		{"passwordFile", "PASSWORD_FILE", o.passwordFile},
	} {
		if f.value != "" {
			delete(environment, "LINCHPIN_NEO4J_"+f.variable)
			text += "  " + f.key + ": " + quoted(f.value) + "\n"
		}
	}
	if o.passwordFile != "" {
		absolute, err := filepath.Abs(o.passwordFile)
		if err != nil {
			return nil, err
		}
		text = strings.Replace(text, "passwordFile: "+quoted(o.passwordFile), "passwordFile: "+quoted(absolute), 1)
		o.passwordFile = absolute
		delete(environment, "LINCHPIN_NEO4J_PASSWORD") // flags win
	}
	text += "jobs: [{name: first, graph: {nodes: ['*'], relationships: [R]}, measures: [{measure: degree, nodes: degree}]}]\n"
	c, err := config.Parse(filepath.Join(filepath.Dir(path), flag), []byte(text), environment, configChecks())
	var mistakes *config.Error
	if errors.As(err, &mistakes) {
		for i := range mistakes.Mistakes {
			m := &mistakes.Mistakes[i]
			m.File, m.Line = flag, 0 // the file that they are in is ours
		}
	}
	return c, err
}

// choose makes one or two jobs: of the most promising type by hops, and by lengths if it has some, or else of the next
// type.
func (c *firstConfig) choose(ctx context.Context, db *neo4j.DB) error {
	ranked := rankTypes(c.found.Found)
	if len(ranked) == 0 || ranked[0].Sampled == 0 {
		return &connector.Error{Kind: connector.Empty,
			Msg: fmt.Sprintf("the database %s has no relationships that %s may see: there is nothing to score",
				c.server.Database, userText(c.neo4j.Username)),
			Hint: "load a graph first, or name another database: --database NAME"}
	}
	owners, err := db.Owners(ctx)
	if err != nil {
		return err
	}
	for i := range ranked {
		ranked[i].Properties = notOwned(ranked[i].Properties, owners, connector.OnRelationships)
	}
	names := &freeNames{taken: c.found.Properties, owners: owners}
	best, err := c.job(ctx, db, ranked[0], owners)
	if err != nil {
		return err
	}
	best.name = jobName(best.kind.Name)
	weight, notes := weigh(best.kind)
	hops := best
	hops.why = slices.Concat(best.why, notes)
	hops.measures = names.measures(hops.name, "", "betweenness", "degree")
	c.jobs, c.others = []firstJob{hops}, ranked[1:]
	if weight != "" {
		lengths := best
		lengths.why = []string{fmt.Sprintf("The same graph; %s is the length of each relationship.", plain(weight))}
		lengths.name, lengths.weight = jobName(best.kind.Name+"-"+weight), weight
		lengths.skip = best.kind.Sampled < best.kind.Count
		lengths.measures = names.measures(lengths.name, "_"+propertyWord(weight), "betweenness", "closeness")
		c.jobs = append(c.jobs, lengths)
		return nil
	}
	if next := ranked[1:]; len(next) > 0 && next[0].Sampled > 0 && next[0].Count >= 10 &&
		next[0].Count*100 >= best.kind.Count {
		second, err := c.job(ctx, db, next[0], owners)
		if err != nil {
			return err
		}
		_, notes := weigh(second.kind)
		second.name, second.why = uniqueJob(jobName(second.kind.Name), hops.name), append(second.why, notes...)
		second.measures = names.measures(second.name, "_"+propertyWord(second.kind.Name), "betweenness", "degree")
		c.jobs, c.others = append(c.jobs, second), next[1:]
	}
	return nil
}

func userText(username string) string {
	if username == "" {
		return "you"
	}
	return username
}

// job makes a job of a type, with the counts and the names of its nodes.
func (c *firstConfig) job(
	ctx context.Context, db *neo4j.DB, f neo4j.FoundType, owners []neo4j.Owner,
) (firstJob, error) {
	j := newFirstJob(f)
	j.nodes = c.found.Nodes
	label := ""
	if len(j.labels) > 0 {
		j.nodes, label = 0, j.labels[0]
	}
	for _, l := range j.labels {
		n, err := db.CountLabel(ctx, l)
		if err != nil {
			return j, err
		}
		j.nodes += n
	}
	j.nodes = min(j.nodes, c.found.Nodes)
	properties, err := db.NodeProperties(ctx, label)
	if err != nil {
		return j, err
	}
	j.nameNodes(notOwned(properties, owners, connector.OnNodes))
	j.limit()
	return j, nil
}

// notOwned leaves out properties that hold linchpin's own scores.
func notOwned(properties []neo4j.FoundProperty, owners []neo4j.Owner, on connector.Entity) []neo4j.FoundProperty {
	return slices.DeleteFunc(slices.Clone(properties), func(p neo4j.FoundProperty) bool {
		return slices.ContainsFunc(owners, func(o neo4j.Owner) bool { return o.On == on && o.Property == p.Name })
	})
}

// freeNames finds names of score properties that nothing in the database has, nor has had.
type freeNames struct {
	taken  []string
	owners []neo4j.Owner
}

// measures are measures with a property each for nodes, and for relationships if they can.
func (f *freeNames) measures(job, suffix string, names ...string) []firstMeasure {
	var out []firstMeasure
	for _, name := range names {
		m := firstMeasure{measure: name, nodes: f.free(job, name+suffix)}
		if spec, _ := kernels.Lookup(name); spec.Edge != "" {
			m.relationships = m.nodes
		}
		out = append(out, m)
	}
	return out
}

func (f *freeNames) free(job, name string) string {
	for i, candidate := 2, name; ; i++ {
		if !slices.Contains(f.taken, candidate) || f.ownedBy(job, candidate) {
			f.taken = append(f.taken, candidate)
			return candidate
		}
		candidate = fmt.Sprintf("%s_%d", name, i)
	}
}

// ownedBy reports whether a job of this name, and no other, has the property.
func (f *freeNames) ownedBy(job, property string) bool {
	ours := false
	for _, o := range f.owners {
		if o.Property == property {
			if o.Job != job {
				return false
			}
			ours = true
		}
	}
	return ours
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// jobName makes a job's name of a type.
func jobName(text string) string {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if name == "" {
		return "first"
	}
	return strings.Trim(name[:min(len(name), 60)], "-")
}

func uniqueJob(name, other string) string {
	if name == other {
		return name + "-2"
	}
	return name
}

func propertyWord(text string) string {
	return strings.ReplaceAll(jobName(text), "-", "_")
}

// told is what init says after it has written the file.
func (c *firstConfig) told(path string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "found %d nodes and %d relationships in %s (Neo4j %s)\n", c.found.Nodes, c.found.Relationships,
		plain(c.server.Database), c.server.Version)
	names := make([]string, len(c.jobs))
	for i, j := range c.jobs {
		names[i] = j.name
		fmt.Fprintf(&b, "job %s: %s, on %s\n", j.name, strings.ToLower(j.about()[:1])+j.about()[1:], plain(j.kind.Name))
	}
	fmt.Fprintf(&b, "now run it: linchpin run %s", strings.Join(names, " "))
	if path != "linchpin.yml" {
		fmt.Fprintf(&b, " --config %s", path)
	}
	return b.String()
}
