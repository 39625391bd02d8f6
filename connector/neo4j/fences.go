package neo4j

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// A transaction that checks the lock's node keeps it until it is committed, so transactions of one job would be
// committed one after the other. Writers that work side by side therefore have a node each, (:LinchpinLock {name:
// "JOB/1"}) and so on, that holds the fence and nothing else. A new owner writes its fence onto the lock's node and
// onto all of these, in one transaction: it waits for every writer's commit under way, and whatever a writer is about
// to commit later finds that its fence has gone. Nodes are added only by who holds the lock's own node, so a new owner
// misses none.

// fenceName is the name of a writer's node; writers are counted from 1. No name of a job has a slash.
func fenceName(job string, writer int) string { return fmt.Sprintf("%s/%d", job, writer) }

// takeFences makes all fences of writers the new owner's. The transaction must have the lock's node.
func (t tx) takeFences(ctx context.Context, l *Lock) error {
	return t.rows(ctx, "MATCH (f:"+lockLabel+") WHERE f.name STARTS WITH $job + '/' WITH f ORDER BY f.name "+
		"SET f.fence = $fence",
		map[string]any{"job": l.job, "fence": l.fence}, nil)
}

// addFences makes fences for so many writers. The transaction must have checked the lock's own.
func (t tx) addFences(ctx context.Context, o connector.WriteOptions, writers int) error {
	if o.Lease == nil || writers == 1 {
		return nil
	}
	var names []string
	for i := range writers {
		names = append(names, fenceName(o.Job, i+1))
	}
	return t.rows(ctx, "UNWIND $names AS name MERGE (f:"+lockLabel+" {name: name}) SET f.fence = $fence",
		map[string]any{"names": names, "fence": o.Lease.Fence()}, nil)
}

// fence ends the transaction with an error when the job's lock has gone to another process.
func (t tx) fence(ctx context.Context, o connector.WriteOptions) error {
	if o.Lease == nil {
		return nil
	}
	return t.checkFence(ctx, o.Job, o.Lease.Fence())
}

// hold is the end of a statement that takes the database's own lock on a node with a fence, see lockedHolder, so that
// f.fence is the newest; there is no row when the node has gone. It adds its parameters.
func hold(name string, parameters map[string]any) string {
	parameters["lock"], parameters["touch"] = name, rand.Text()
	return " MATCH (f:" + lockLabel + " {name: $lock}) SET f.touched = $touch"
}
