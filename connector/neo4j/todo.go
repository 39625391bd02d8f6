package neo4j

import (
	"context"
	"errors"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

var errTODO = errors.New("not built yet")

type schema struct{}

// Write implements connector.Sink.
func (db *DB) Write(ctx context.Context, s *export.Snapshot, columns []connector.Column, o connector.WriteOptions, progress connector.Progress) (connector.WriteStats, error) {
	return connector.WriteStats{}, errTODO
}

// Owner says which job owns a score property.
type Owner struct {
	On       connector.Entity `json:"on"`
	Property string           `json:"property"`
	Job      string           `json:"job"`
	// Scopes are the labels or relationship types that the job has written the property on; "*" stands for all.
	Scopes []string  `json:"scopes"`
	Since  time.Time `json:"since"`
}

// Owners lists the properties that jobs own.
func (db *DB) Owners(ctx context.Context) ([]Owner, error) { return nil, errTODO }

// CheckProperties reports an error of kind NotOurs when a property that the job would write belongs to somebody else: to
// another job, or to the user, who has it on entities of the projection. Force lets it pass. Warnings tell of indexes
// and constraints on the properties.
func (db *DB) CheckProperties(ctx context.Context, o connector.Ownership) (warnings []string, err error) {
	return nil, errTODO
}

// SaveRun creates or replaces the record of a run.
func (db *DB) SaveRun(ctx context.Context, r connector.Run) error { return errTODO }

// Runs returns up to limit runs of a job, the newest first; "" stands for all jobs, a limit of 0 for all runs.
func (db *DB) Runs(ctx context.Context, job string, limit int) ([]connector.Run, error) {
	return nil, errTODO
}

// LastRun returns the job's newest run, finished or not, or nil.
func (db *DB) LastRun(ctx context.Context, job string) (*connector.Run, error) { return nil, errTODO }

// LastSuccess returns the job's newest run that succeeded, or nil.
func (db *DB) LastSuccess(ctx context.Context, job string) (*connector.Run, error) {
	return nil, errTODO
}

// Acquire takes the job's lock for the length of the lease, on the server's clock. While another owner holds it the
// error is of kind Locked and says who does, and since when.
func (db *DB) Acquire(ctx context.Context, job, owner string, lease time.Duration) (connector.Lease, error) {
	return nil, errTODO
}

// Dropped counts what Drop removed.
type Dropped struct {
	NodeScores         int64 `json:"nodeScores"`
	RelationshipScores int64 `json:"relationshipScores"`
	Runs               int64 `json:"runs"`
}

// Drop removes the job's scores, its run records and its claim on its properties. It holds the job's lock meanwhile.
func (db *DB) Drop(ctx context.Context, job, owner string, progress connector.Progress) (Dropped, error) {
	return Dropped{}, errTODO
}
