package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// How much Discover looks at, so that it stays quick however large the database is.
const (
	countedTypes  = 500  // relationship types that are counted
	sampledTypes  = 12   // the most frequent of them, of which relationships are looked at
	sampledOfType = 2000 // relationships of such a type
	sampledNodes  = 1000 // nodes of a label
)

// Discovery is what a database holds, as far as counts and samples tell.
type Discovery struct {
	// Nodes and Relationships are counts, without linchpin's own.
	Nodes, Relationships int64
	// Labels and Types are how many names there are, and Counted how many of the types were counted.
	Labels, Types, Counted int
	// Found are the types that have relationships of the user's, the most frequent first.
	Found []FoundType
	// Properties are the names of all properties that the database knows, those of earlier times too.
	Properties []string
}

// FoundType is a relationship type, and what a sample of its relationships tells.
type FoundType struct {
	Name  string
	Count int64
	// Sampled is how many relationships were looked at; 0 if the type was only counted.
	Sampled int64
	// From and To are labels that nearly all nodes at the start and at the end have one of; empty if there are none.
	From, To []string
	// Back is how many of the sampled relationships have a counterpart in the other direction.
	Back int64
	// Properties of the sampled relationships.
	Properties []FoundProperty
}

// FoundProperty is a property of sampled nodes or relationships.
type FoundProperty struct {
	Name string
	// Sampled is how many entities were looked at. Numbers and Texts of them have a number, or a text, and Points a place.
	Sampled, Numbers, Texts, Points int64
	// Min and Max bound the numbers.
	Min, Max float64
}

// Discover looks into the database: at the counts that the server keeps, and at bounded samples. It never passes over
// all nodes or relationships.
func (db *DB) Discover(ctx context.Context) (*Discovery, error) {
	d, err := db.discover(ctx)
	if hasCode(err, "Neo.ClientError.Security.Forbidden") {
		err = &connector.Error{Kind: connector.Unreachable, Msg: "the user may not look into the database", Err: err,
			Hint: "grant it to match nodes and relationships, and to list labels and types; or write the config by hand: linchpin init"}
	}
	return d, err
}

func (db *DB) discover(ctx context.Context) (*Discovery, error) {
	d := &Discovery{}
	var err error
	if d.Nodes, err = db.countNodes(ctx); err != nil {
		return nil, err
	}
	if d.Relationships, err = db.count(ctx, "discover", "MATCH ()-[r]->() RETURN count(r)", nil); err != nil {
		return nil, err
	}
	names := map[string][]string{"labels": nil, "relationshipTypes": nil, "propertyKeys": nil}
	for procedure := range names {
		rows, err := db.query(ctx, "discover", "CALL db."+procedure+"()", nil)
		if err != nil {
			return nil, err
		}
		names[procedure] = texts(rows)
	}
	d.Labels, d.Types, d.Properties = len(names["labels"]), len(names["relationshipTypes"]), names["propertyKeys"]
	if err := db.countTypes(ctx, d, names["relationshipTypes"]); err != nil {
		return nil, err
	}
	var found []FoundType
	for i := range d.Found {
		if i < sampledTypes {
			ours, err := db.sampleType(ctx, &d.Found[i])
			if err != nil {
				return nil, err
			}
			if ours {
				d.Relationships -= d.Found[i].Count
				continue
			}
		}
		found = append(found, d.Found[i])
	}
	d.Found = found
	return d, nil
}

// countTypes counts the relationships of each type, which the server knows.
func (db *DB) countTypes(ctx context.Context, d *Discovery, types []string) error {
	slices.Sort(types)
	d.Counted = min(len(types), countedTypes)
	for _, name := range types[:d.Counted] {
		n, err := db.count(ctx, "discover", "MATCH ()-[r:"+quote(name)+"]->() RETURN count(r)", nil)
		if err != nil {
			return err
		}
		if n > 0 {
			d.Found = append(d.Found, FoundType{Name: name, Count: n})
		}
	}
	slices.SortStableFunc(d.Found, func(a, b FoundType) int { return cmp.Compare(b.Count, a.Count) })
	return nil
}

// ends are relationships between nodes of the same labels.
type ends struct {
	from, to []string
	n        int64
}

// sampleType looks at the first relationships of a type. It reports whether they are all linchpin's own.
func (db *DB) sampleType(ctx context.Context, f *FoundType) (ours bool, err error) {
	kind := quote(f.Name)
	rows, err := db.query(ctx, "discover", "MATCH (a)-[r:"+kind+"]->(b) WITH a, b LIMIT $limit "+
		"RETURN labels(a), labels(b), count(*), sum(CASE WHEN a <> b AND EXISTS { MATCH (b)-[:"+kind+
		"]->(a) } THEN 1 ELSE 0 END)",
		map[string]any{"limit": sampledOfType})
	if err != nil {
		return false, err
	}
	var all []ends
	for _, row := range rows {
		e := ends{from: textsOf(row[0]), to: textsOf(row[1])}
		e.n, _ = row[2].(int64)
		if slices.ContainsFunc(ownLabels(), func(label string) bool { return slices.Contains(e.from, label) }) {
			ours = true
			continue
		}
		back, _ := row[3].(int64)
		f.Sampled, f.Back = f.Sampled+e.n, f.Back+back
		all = append(all, e)
	}
	if f.Sampled == 0 {
		return ours, nil
	}
	sizes, err := db.labelSizes(ctx, all)
	if err != nil {
		return false, err
	}
	f.From = cover(all, sizes, f.Sampled, func(e ends) []string { return e.from })
	f.To = cover(all, sizes, f.Sampled, func(e ends) []string { return e.to })
	f.Properties, err = db.sampleProperties(ctx, "MATCH ()-[x:"+kind+"]->()", sampledOfType)
	return false, err
}

// mostLabels is how many labels of a sample are told apart.
const mostLabels = 100

// labelSizes counts the nodes of the labels that a sample met.
func (db *DB) labelSizes(ctx context.Context, all []ends) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, e := range all {
		for _, label := range slices.Concat(e.from, e.to) {
			if _, known := sizes[label]; known || len(sizes) == mostLabels {
				continue
			}
			n, err := db.CountLabel(ctx, label)
			if err != nil {
				return nil, err
			}
			sizes[label] = n
		}
	}
	return sizes, nil
}

// CountLabel returns how many nodes have a label, which the server knows.
func (db *DB) CountLabel(ctx context.Context, label string) (int64, error) {
	return db.count(ctx, "discover", "MATCH (n:"+quote(label)+") RETURN count(n)", nil)
}

// cover returns few labels that at least 98 % of the nodes at one end have one of: each time the one that most of the
// others have, of equal ones the rarest. It returns nil if more than 5 would be needed.
func cover(all []ends, sizes map[string]int64, total int64, end func(ends) []string) []string {
	var chosen []string
	for left := slices.Clone(all); ; {
		have, rest := map[string]int64{}, int64(0)
		for _, e := range left {
			rest += e.n
			for _, label := range end(e) {
				have[label] += e.n
			}
		}
		if float64(rest) <= 0.02*float64(total) {
			slices.Sort(chosen)
			return chosen
		}
		best := ""
		for label := range sizes {
			order := cmp.Or(cmp.Compare(have[label], have[best]), cmp.Compare(sizes[best], sizes[label]),
				cmp.Compare(best, label))
			if have[label] > 0 && (best == "" || order > 0) {
				best = label
			}
		}
		if best == "" || len(chosen) == 5 {
			return nil
		}
		chosen = append(chosen, best)
		left = slices.DeleteFunc(left, func(e ends) bool { return slices.Contains(end(e), best) })
	}
}

// NodeProperties looks at the properties of the first nodes that have a label; "" for any.
func (db *DB) NodeProperties(ctx context.Context, label string) ([]FoundProperty, error) {
	pattern := "MATCH (x" + notOurs() + ")"
	if label != "" {
		pattern = "MATCH (x:" + quote(label) + ")"
	}
	return db.sampleProperties(ctx, pattern, sampledNodes)
}

// sampleProperties tells numbers from texts by what they are equal to once converted: servers before 5.9 know no types.
func (db *DB) sampleProperties(ctx context.Context, match string, limit int64) ([]FoundProperty, error) {
	limited := map[string]any{"limit": limit}
	sampled, err := db.count(ctx, "discover", match+" WITH x LIMIT $limit RETURN count(x)", limited)
	if err != nil {
		return nil, err
	}
	rows, err := db.query(ctx, "discover", match+` WITH x LIMIT $limit UNWIND keys(x) AS k
		WITH k, x[k] AS v WITH k, v, toFloatOrNull(v) AS f, toStringOrNull(v) AS s
		RETURN k, count(CASE WHEN f = v THEN 1 END), count(CASE WHEN s = v THEN 1 END),
			count(CASE WHEN s <> v AND s STARTS WITH 'point({' THEN 1 END),
			min(CASE WHEN f = v THEN f END), max(CASE WHEN f = v THEN f END) ORDER BY k`, limited)
	if err != nil {
		return nil, err
	}
	var out []FoundProperty
	for _, row := range rows {
		p := FoundProperty{Name: fmt.Sprint(row[0]), Sampled: sampled}
		p.Numbers, _ = row[1].(int64)
		p.Texts, _ = row[2].(int64)
		p.Points, _ = row[3].(int64)
		p.Min, _ = row[4].(float64)
		p.Max, _ = row[5].(float64)
		out = append(out, p)
	}
	return out, nil
}

func textsOf(v any) []string {
	var out []string
	for _, x := range list(v) {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
