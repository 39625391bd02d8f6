package neo4j

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
)

// SaveRun creates or replaces the record of a run: (:LinchpinRun {id, job, status, ...})-[:OF]->(:LinchpinJob {name}).
// Times are Cypher's own; what is nested stands there as JSON text.
func (db *DB) SaveRun(ctx context.Context, r connector.Run) error {
	if err := db.ensureSchema(ctx); err != nil {
		return err
	}
	properties, err := runProperties(r)
	if err != nil {
		return err
	}
	return db.transact(ctx, work{step: "record", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, "MERGE (j:"+jobLabel+" {name: $job}) MERGE (r:"+runLabel+" {id: $id}) SET r = $properties MERGE (r)-[:OF]->(j)",
			map[string]any{"job": r.Job, "id": r.ID, "properties": properties}, nil)
	}})
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
	return db.runs(ctx, job, "", limit)
}

// LastRun returns the job's newest run, finished or not, or nil. Runs that were skipped or missed do not count.
func (db *DB) LastRun(ctx context.Context, job string) (*connector.Run, error) {
	return first(db.runs(ctx, job, "AND NOT r.status IN ['skipped', 'missed'] ", 1))
}

// LastSuccess returns the job's newest run that succeeded, or nil.
func (db *DB) LastSuccess(ctx context.Context, job string) (*connector.Run, error) {
	return first(db.runs(ctx, job, "AND r.status = 'succeeded' ", 1))
}

func first(runs []connector.Run, err error) (*connector.Run, error) {
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return &runs[0], nil
}

// runs reads records in the order of an index, so that a long history costs no more than a short one.
func (db *DB) runs(ctx context.Context, job, condition string, limit int) ([]connector.Run, error) {
	pattern := "MATCH (r:" + runLabel + ") WHERE r.started IS NOT NULL "
	if job != "" {
		pattern = "MATCH (r:" + runLabel + ") WHERE r.job = $job AND r.started IS NOT NULL "
	}
	cypher := pattern + condition + "RETURN properties(r) ORDER BY r.started DESC"
	if limit > 0 {
		cypher += fmt.Sprintf(" LIMIT %d", limit)
	}
	parameters := map[string]any{"job": job}
	rows, err := db.query(ctx, "history", cypher, parameters)
	if err != nil {
		return nil, err
	}
	runs := make([]connector.Run, 0, len(rows))
	for _, row := range rows {
		properties, _ := row[0].(map[string]any)
		r, err := runOf(properties)
		if err != nil {
			return nil, fmt.Errorf("run record %v: %w", properties["id"], err)
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
			case "dropped", "seconds", "write", "scores", "around":
				value = json.RawMessage(v)
			}
		}
		fields[name] = value
	}
	text, err := json.Marshal(fields)
	return r, errors.Join(err, json.Unmarshal(text, &r))
}
