package neo4j

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
)

// SaveRun creates or replaces the record of a run: (:LinchpinRun {id, job, status, ...})-[:OF]->(:LinchpinJob {name}).
// Times are Cypher's own, and go by the server's clock; what is nested stands there as JSON text. A run that has
// succeeded stays so, whatever a process records that did not hear of it, and one that waits is recorded only where
// nothing later is.
func (db *DB) SaveRun(ctx context.Context, r connector.Run) error { return db.SaveRuns(ctx, r) }

// SaveRuns saves several records in one transaction, in this order.
func (db *DB) SaveRuns(ctx context.Context, runs ...connector.Run) error {
	if err := db.ensureSchema(ctx); err != nil {
		return err
	}
	return db.transact(ctx, work{step: "record", writes: true, do: func(ctx context.Context, t tx) error {
		for _, r := range runs {
			if err := t.saveRun(ctx, r); err != nil {
				return err
			}
		}
		return nil
	}})
}

func (t tx) saveRun(ctx context.Context, r connector.Run) error {
	skew, err := t.skew(ctx)
	if err != nil {
		return err
	}
	r.Started = r.Started.Add(skew)
	if !r.Finished.IsZero() {
		r.Finished = r.Finished.Add(skew)
	}
	properties, err := runProperties(r)
	if err != nil {
		return err
	}
	if r.Status == connector.Succeeded {
		if err := t.saveDistances(ctx, r); err != nil {
			return err
		}
		if err := t.saveTrees(ctx, r); err != nil {
			return err
		}
	}
	return t.rows(ctx, "MERGE (j:"+jobLabel+" {name: $job}) MERGE (r:"+runLabel+" {id: $id}) MERGE (r)-[:OF]->(j) "+
		"WITH r WHERE CASE $properties.status WHEN 'succeeded' THEN true WHEN 'waiting' THEN r.status IS NULL "+
		"ELSE NOT coalesce(r.status, '') IN ['succeeded', 'withdrawn'] END SET r = $properties",
		map[string]any{"job": r.Job, "id": r.ID, "properties": properties}, nil)
}

// clockSlack is how far a clock may be from the server's before records are corrected.
const clockSlack = time.Second

// skew is how far the server's clock is ahead of this process's; 0 where they agree. The history of a job is in order
// whatever the clocks of the hosts that run it.
func (t tx) skew(ctx context.Context) (time.Duration, error) {
	before := t.db.options.Now()
	var server time.Time
	err := t.rows(ctx, "RETURN datetime.realtime()", nil, func(row []any) { server, _ = row[0].(time.Time) })
	after := t.db.options.Now()
	switch {
	case err != nil:
		return 0, err
	case server.Before(before.Add(-clockSlack)):
		return server.Sub(before), nil
	case server.After(after.Add(clockSlack)):
		return server.Sub(after), nil
	}
	return 0, nil
}

// runProperties turns a run into properties, by its JSON form.
func runProperties(r connector.Run) (map[string]any, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return nil, err
	}
	delete(fields, "state") // it follows from the rest
	for name, value := range fields {
		switch v := value.(type) {
		case json.Number:
			if whole, err := v.Int64(); err == nil {
				fields[name] = whole
			} else if fields[name], err = v.Float64(); err != nil {
				return nil, fmt.Errorf("run record: %s: %w", name, err)
			}
		case map[string]any, []any:
			if flat(v) {
				continue
			}
			nested, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			fields[name] = string(nested)
		}
	}
	fields["started"] = r.Started.UTC() // Neo4j knows no zone "Local"
	for name, t := range map[string]time.Time{"finished": r.Finished, "due": r.Due, "until": r.Until} {
		if !t.IsZero() {
			fields[name] = t.UTC()
		}
	}
	return fields, nil
}

// flat says that the value is a list of texts, which a property can hold.
func flat(v any) bool {
	all, ok := v.([]any)
	for _, x := range all {
		if _, text := x.(string); !text {
			return false
		}
	}
	return ok
}

// Runs returns up to limit runs of a job, the newest first; "" stands for all jobs, a limit of 0 for all runs.
func (db *DB) Runs(ctx context.Context, job string, limit int) ([]connector.Run, error) {
	cypher := "MATCH (r:" + runLabel + ") WHERE r.started IS NOT NULL RETURN properties(r) ORDER BY r.started DESC"
	if job != "" {
		cypher = "MATCH (r:" + runLabel + ") WHERE r.job = $job AND r.started IS NOT NULL " +
			"RETURN properties(r) ORDER BY r.job DESC, r.started DESC" // as the index is sorted
	}
	if limit > 0 {
		cypher += fmt.Sprintf(" LIMIT %d", limit)
	}
	return db.runs(ctx, cypher, map[string]any{"job": job})
}

// RunIDs returns the ids of up to limit runs of a job, the newest first, for RunsByID to read some at a time.
func (db *DB) RunIDs(ctx context.Context, job string, limit int) ([]string, error) {
	rows, err := db.query(ctx, "history", "MATCH (r:"+runLabel+") WHERE r.job = $job AND r.started IS NOT NULL "+
		"RETURN r.id ORDER BY r.job DESC, r.started DESC LIMIT $limit", map[string]any{"job": job, "limit": limit})
	ids := make([]string, 0, len(rows))
	for _, row := range rows {
		id, _ := row[0].(string)
		ids = append(ids, id)
	}
	return ids, err
}

// RunsByID returns the runs with these ids, in this order. Those that have been removed are left out.
func (db *DB) RunsByID(ctx context.Context, ids []string) ([]connector.Run, error) {
	return db.runs(ctx, "UNWIND range(0, size($ids) - 1) AS i MATCH (r:"+runLabel+
		" {id: $ids[i]}) RETURN properties(r) ORDER BY i",
		map[string]any{"ids": ids})
}

// LastRun returns the job's newest run, finished or not, or nil. Runs that were skipped or missed do not count.
func (db *DB) LastRun(ctx context.Context, job string) (*connector.Run, error) {
	return db.newest(ctx, job, connector.Running, connector.Succeeded, connector.Failed, connector.Cancelled,
		connector.Unfinished,
		connector.Withdrawn)
}

// LastSuccess returns the job's newest run that succeeded, or nil.
func (db *DB) LastSuccess(ctx context.Context, job string) (*connector.Run, error) {
	runs, err := db.runs(ctx,
		"MATCH (r:"+runLabel+") WHERE r.job = $job AND r.status = 'succeeded' AND r.started IS NOT NULL "+
			"RETURN properties(r) ORDER BY r.job DESC, r.status DESC, r.started DESC LIMIT 1", map[string]any{"job": job})
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return &runs[0], nil
}

// newest returns the job's newest run in one of the states, or nil. It looks up the newest of each in an index, however
// many newer ones there are in other states.
func (db *DB) newest(ctx context.Context, job string, states ...connector.RunStatus) (*connector.Run, error) {
	var parts []string
	parameters := map[string]any{"job": job}
	for i, state := range states {
		name := fmt.Sprintf("state%d", i)
		parameters[name] = string(state)
		parts = append(parts, "MATCH (r:"+runLabel+") WHERE r.job = $job AND r.status = $"+name+" AND r.started IS NOT NULL "+
			"RETURN r ORDER BY r.job DESC, r.status DESC, r.started DESC LIMIT 1")
	}
	runs, err := db.runs(ctx, "CALL { "+strings.Join(parts, " UNION ALL ")+
		" } RETURN properties(r) ORDER BY r.started DESC LIMIT 1", parameters)
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return &runs[0], nil
}

// runs reads the records that a statement returns.
func (db *DB) runs(ctx context.Context, cypher string, parameters map[string]any) ([]connector.Run, error) {
	rows, err := db.query(ctx, "history", cypher, parameters)
	if err != nil {
		return nil, err
	}
	runs := make([]connector.Run, 0, len(rows))
	for _, row := range rows {
		properties, _ := row[0].(map[string]any)
		r, err := runOf(properties)
		if err != nil {
			id := fmt.Sprint(properties["id"])
			return nil, &connector.Error{
				Kind: connector.BadData, Msg: fmt.Sprintf("the record of run %s cannot be read; something else than linchpin has "+
					"changed it", id), Err: err,
				Hint: fmt.Sprintf("this removes it: MATCH (r:%s) WHERE r.id = %s DETACH DELETE r", runLabel, literal(id)),
			}
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// runOf is the inverse of runProperties. What a later version has added is left out.
func runOf(properties map[string]any) (connector.Run, error) {
	var r connector.Run
	fields := map[string]any{}
	for name, value := range properties {
		switch v := value.(type) {
		case time.Time:
			value = v.UTC().Format(time.RFC3339Nano)
		case driver.LocalDateTime:
			value = v.Time().Format("2006-01-02T15:04:05.999999999Z")
		case string:
			switch name {
			case "dropped", "seconds", "write", "scores", "around", "reductions", "ways", "distances", "groupings",
				"convergences", "solutions", "pairs", "bounds", "backbones", "bundles", "simplified", "supernodes",
				"dendrogram", "reuses":
				value = json.RawMessage(v)
			}
		}
		fields[name] = value
	}
	text, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}
