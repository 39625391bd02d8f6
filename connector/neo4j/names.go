package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// The labels of what linchpin keeps in the database for itself. Nodes that carry one are in no graph.
const (
	jobLabel      = "LinchpinJob"
	runLabel      = "LinchpinRun"
	lockLabel     = "LinchpinLock"
	propertyLabel = "LinchpinProperty"
	requestLabel  = "LinchpinRequest"
	distanceLabel = "LinchpinDistances"
	// superLabel is on supernodes, next to the label that their job gives them.
	superLabel = "LinchpinSupernode"
)

func ownLabels() []string {
	return []string{jobLabel, runLabel, lockLabel, propertyLabel, requestLabel, distanceLabel, superLabel}
}

// notOurs is the label expression that every node meets but those.
func notOurs() string { return ":!(" + quoteAll(ownLabels()) + ")" }

// selection is a part of a projection's nodes: what it is for people, and its label expression.
type selection struct{ what, labels string }

// selections are the parts that together are the nodes of a projection; none for a nodeQuery.
func selections(p connector.Projection) []selection {
	if p.AllNodes {
		return []selection{{"nodes", notOurs()}}
	}
	var out []selection
	for _, label := range p.Labels {
		out = append(out, selection{"nodes of label " + label, ":" + quote(label)})
	}
	return out
}

// labelsOf is the label expression of all of a projection's nodes, which are not those of a nodeQuery.
func labelsOf(p connector.Projection) string {
	if p.AllNodes {
		return notOurs()
	}
	return ":" + quoteAll(p.Labels)
}

// sizes are the numbers of the count store for a projection.
type sizes struct {
	nodes []int64 // by selection
	types []int64 // relationships by type
}

// checkNames reports an error of kind UnknownName for a label, type or weight property that the database does not have,
// and returns how many nodes and relationships there are.
func (db *DB) checkNames(ctx context.Context, p connector.Projection) (sizes, error) {
	var s sizes
	for _, label := range p.Labels {
		if slices.Contains(ownLabels(), label) {
			return s, &connector.Error{Kind: connector.UnknownName,
				Msg: fmt.Sprintf("label %s holds linchpin's own records, which are no graph", label)}
		}
		n, err := db.checkName(ctx, "label", label, "MATCH (x:"+quote(label)+") RETURN count(x)", "CALL db.labels()")
		if err != nil {
			return s, err
		}
		s.nodes = append(s.nodes, n)
	}
	if p.AllNodes {
		n, err := db.countNodes(ctx)
		if err != nil {
			return s, err
		}
		s.nodes = []int64{n}
	}
	for _, r := range p.Relationships {
		n, err := db.checkName(ctx, "relationship type", r.Type, "MATCH ()-[x:"+quote(r.Type)+"]->() RETURN count(x)",
			"CALL db.relationshipTypes()")
		if err != nil {
			return s, err
		}
		s.types = append(s.types, n)
		if r.Weight != "" && n > 0 {
			if err := db.checkWeightName(ctx, r); err != nil {
				return s, err
			}
		}
	}
	return s, db.checkPropertyNames(ctx, p)
}

// countNodes counts all nodes but linchpin's own, by the count store.
func (db *DB) countNodes(ctx context.Context) (int64, error) {
	all, err := db.count(ctx, "names", "MATCH (x) RETURN count(x)", nil)
	if err != nil {
		return 0, err
	}
	own, err := db.count(ctx, "names", "MATCH (x:"+quoteAll(ownLabels())+") RETURN count(x)", nil)
	return all - own, err
}

// checkName counts what carries the name. When nothing does, the name may still be known from earlier.
func (db *DB) checkName(ctx context.Context, what, name, count, list string) (int64, error) {
	n, err := db.count(ctx, "names", count, nil)
	if err != nil || n > 0 {
		return n, err
	}
	unknown, err := db.unknownTo(ctx, count)
	if err != nil || !unknown {
		return 0, err
	}
	return 0, db.unknownName(ctx, what, name, list)
}

// unknownTo asks the server whether a statement has names that it has never seen, which it says in a notification.
func (db *DB) unknownTo(ctx context.Context, cypher string) (bool, error) {
	w := work{step: "names"}
	session := db.driver.NewSession(ctx, driver.SessionConfig{DatabaseName: db.server.Database,
		AccessMode: driver.AccessModeRead})
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = session.Close(end)
	}()
	var summary driver.ResultSummary
	err := db.within(ctx, db.timeout(w), func(ctx context.Context) error {
		result, err := session.Run(ctx, db.prefix()+"EXPLAIN "+cypher, nil, db.transactionConfig(ctx, w)...)
		if err == nil {
			summary, err = result.Consume(ctx)
		}
		return err
	})
	if err != nil {
		return false, explain(ctx, err)
	}
	for _, n := range summary.Notifications() {
		if strings.Contains(n.Code(), ".Unknown") {
			return true, nil
		}
	}
	return false, nil
}

// checkWeightName reports a weight property that no relationship of the type has.
func (db *DB) checkWeightName(ctx context.Context, r connector.Relationship) error {
	// Scans stop at the first that has it, so this is slow only on the way to the error.
	n, err := db.count(ctx, "names", fmt.Sprintf("MATCH ()-[r:%s]->() WHERE r.%s IS NOT NULL WITH r LIMIT 1 "+
		"RETURN count(r)", quote(r.Type), quote(r.Weight)), nil)
	if err != nil || n > 0 {
		return err
	}
	known, err := db.query(ctx, "names", fmt.Sprintf("MATCH ()-[r:%s]->() WITH r LIMIT 10000 UNWIND keys(r) AS k "+
		"RETURN DISTINCT k", quote(r.Type)), nil)
	if err != nil {
		return err
	}
	return unknownAmong("weight property", r.Weight, fmt.Sprintf("no relationship of type %s has it", r.Type),
		texts(known))
}

func (db *DB) unknownName(ctx context.Context, what, name, list string) error {
	rows, err := db.query(ctx, "names", list, nil)
	if err != nil {
		return err
	}
	names := slices.DeleteFunc(texts(rows), func(n string) bool { return slices.Contains(ownLabels(), n) })
	return unknownAmong(what, name, "the database has none of that name", names)
}

func unknownAmong(what, name, why string, names []string) error {
	e := &connector.Error{Kind: connector.UnknownName, Msg: fmt.Sprintf("unknown %s %q: %s", what, name, why)}
	e.Hint = hintAmong(name, names, "there are")
	return e
}

// hintAmong says which of the names was meant, or some of them.
func hintAmong(written string, names []string, thereAre string) string {
	if name, ok := nearest.Name(written, names); ok {
		return "did you mean " + name + "?"
	}
	const most = 8
	names = slices.Sorted(slices.Values(names))
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most:most], "...")
	}
	return thereAre + " " + strings.Join(names, ", ")
}
