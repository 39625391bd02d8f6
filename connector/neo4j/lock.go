package neo4j

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/process"
)

// Lock is a lease on a job. Its state is one node (:LinchpinLock {name}) of the database, and all its times are the
// server's, so that clocks of clients do not matter. Writers that work side by side have nodes with its fence besides.
type Lock struct {
	db    *DB
	job   string
	token string // tells our own lease, should an answer be lost, from another's
	fence int64
	lease time.Duration
}

var _ connector.Lease = (*Lock)(nil)

// holder is what the lock's node says.
type holder struct {
	owner, token string
	fence        int64
	since, until int64 // milliseconds
	now          int64
	process      process.Identity
}

func (h holder) held() bool { return h.token != "" && h.until > h.now }

// Acquire takes the job's lock for the length of the lease, on the server's clock. While another owner holds it the
// error is of kind Locked and says who does, and since when. The lock of a process of this machine that has ended
// without releasing it is taken over at once. The fence grows with every owner.
func (db *DB) Acquire(ctx context.Context, job, owner string, lease time.Duration) (connector.Lease, error) {
	if err := db.ensureSchema(ctx); err != nil {
		return nil, err
	}
	l := &Lock{db: db, job: job, token: rand.Text(), lease: lease}
	err := l.acquire(ctx, owner)
	if terminated(err) { // by its timeout, most likely
		db.endPredecessors(ctx, job, lockTimeout)
		err = l.acquire(ctx, owner)
	}
	if err != nil {
		return nil, err
	}
	db.endPredecessors(ctx, job, 0)
	return l, nil
}

// Abandoned reports whether the job's lock is held by a process of this machine that has ended.
func (db *DB) Abandoned(ctx context.Context, job string) (bool, error) {
	var h holder
	err := db.transact(ctx, work{step: "lock", do: func(ctx context.Context, t tx) (err error) {
		h, err = t.holder(ctx, job)
		return err
	}})
	return h.held() && h.process.Gone(), err
}

// lockTimeout is how long taking the lock may take; it takes milliseconds, unless an abandoned transaction has the
// node.
const lockTimeout = 10 * time.Second

func (l *Lock) acquire(ctx context.Context, owner string) error {
	db, job := l.db, l.job
	return db.transact(ctx, work{step: "lock", writes: true, timeout: lockTimeout,
		do: func(ctx context.Context, t tx) error {
			h, err := t.lockedHolder(ctx, job, true)
			if err != nil {
				return err
			}
			if h.held() && h.token != l.token {
				if !h.process.Gone() {
					return lockedBy(job, h)
				}
				db.options.Logger.Info("the lock of a process that is gone is taken over", "job", job, "owner", h.owner)
			}
			// Greater than every fence so far, also when the node was removed in between.
			l.fence = max(h.fence+1, h.now)
			if err := t.takeLock(ctx, l, owner); err != nil {
				return err
			}
			if err := t.takeFences(ctx, l); err != nil {
				return err
			}
			return t.closeRuns(ctx, job, nil)
		}})
}

// takeLock writes the lease and this process's identity onto the lock's node.
func (t tx) takeLock(ctx context.Context, l *Lock, owner string) error {
	me := process.Self()
	return t.rows(ctx, "MATCH (l:"+lockLabel+" {name: $job}) SET l += $properties, l.since = datetime(), "+
		"l.until = timestamp() + $lease",
		map[string]any{"job": l.job, "lease": l.lease.Milliseconds(), "properties": map[string]any{
			"owner": owner, "token": l.token, "fence": l.fence, "host": me.Host, "boot": me.Boot,
			"pidNamespace": me.Namespace, "pid": me.PID, "started": me.Started}}, nil)
}

// holderColumns are what holderOf reads of a lock's node l.
const holderColumns = "l.owner, l.token, l.fence, l.since.epochMillis, l.until, timestamp(), " +
	"l.host, l.boot, l.pidNamespace, l.pid, l.started"

// lockedHolder takes the database's own lock on the job's node, by writing to it, and reads it: from here to the end of
// the transaction nobody else changes it, and what is read is the newest. With create, the node is made if there is
// none. One statement does both, because a server that sees statements for the first time takes longest to plan them.
func (t tx) lockedHolder(ctx context.Context, job string, create bool) (holder, error) {
	verb := "MATCH"
	if create {
		verb = "MERGE"
	}
	return t.holderOf(ctx, verb+" (l:"+lockLabel+" {name: $job}) SET l.touched = $touch",
		map[string]any{"job": job, "touch": rand.Text()})
}

func (t tx) holder(ctx context.Context, job string) (holder, error) {
	return t.holderOf(ctx, "MATCH (l:"+lockLabel+" {name: $job})", map[string]any{"job": job})
}

// holderOf reads the lock's node that a statement meets; the zero value if there is none.
func (t tx) holderOf(ctx context.Context, meets string, parameters map[string]any) (holder, error) {
	var h holder
	err := t.rows(ctx, meets+" RETURN "+holderColumns, parameters, func(row []any) {
		h.owner, _ = row[0].(string)
		h.token, _ = row[1].(string)
		h.fence, _ = row[2].(int64)
		h.since, _ = row[3].(int64)
		h.until, _ = row[4].(int64)
		h.now, _ = row[5].(int64)
		h.process.Host, _ = row[6].(string)
		h.process.Boot, _ = row[7].(string)
		h.process.Namespace, _ = row[8].(string)
		h.process.PID, _ = row[9].(int64)
		h.process.Started, _ = row[10].(int64)
	})
	return h, err
}

func lockedBy(job string, h holder) error {
	since := time.UnixMilli(h.since).UTC().Format(time.RFC3339)
	left := time.Duration(h.until-h.now) * time.Millisecond
	return &connector.Error{
		Kind: connector.Locked,
		Msg:  fmt.Sprintf("job %s is locked by %s since %s", job, h.owner, since),
		Hint: fmt.Sprintf("wait for that run; if its process is gone the lock ends by itself within %s",
			max(left, 0).Round(time.Second)),
	}
}

// Fence is a number that grows with every lease of the job.
func (l *Lock) Fence() int64 { return l.fence }

// Renew extends the lease. A lease that ran out is taken up again if nobody took it meanwhile; otherwise the error is
// of kind Locked.
func (l *Lock) Renew(ctx context.Context) error {
	return l.guarded(ctx, "MATCH (l:"+lockLabel+" {name: $job}) SET l.until = timestamp() + $lease")
}

// Check reports an error of kind Locked when the lease has gone to another owner.
func (l *Lock) Check(ctx context.Context) error { return l.guarded(ctx, "") }

// released are the properties of a lock's node that a lease has, as null, which removes them.
var released = map[string]any{"owner": nil, "token": nil, "since": nil, "until": nil, "host": nil, "boot": nil,
	"pidNamespace": nil, "pid": nil, "started": nil}

// Release gives the lease up. Releasing a lost lease is no error.
func (l *Lock) Release(ctx context.Context) error {
	err := l.guarded(ctx, "MATCH (l:"+lockLabel+" {name: $job}) SET l += $released")
	if connector.KindOf(err) == connector.Locked {
		return nil
	}
	return err
}

// guarded runs a statement on the lock's node in a transaction that ends in an error when the lease is lost.
func (l *Lock) guarded(ctx context.Context, cypher string) error {
	return l.db.transact(ctx, work{step: "lock", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.checkFence(ctx, l.job, l.fence); err != nil || cypher == "" {
			return err
		}
		return t.rows(ctx, cypher, map[string]any{"job": l.job, "lease": l.lease.Milliseconds(),
			"released": released}, nil)
	}})
}

// checkFence lets the transaction go on only when the job's newest fence is the given one, and keeps it so until the
// transaction has ended: one whose lock went to another cannot commit.
func (t tx) checkFence(ctx context.Context, job string, fence int64) error {
	h, err := t.lockedHolder(ctx, job, false)
	if err != nil || h.fence == fence {
		return err
	}
	return lost(job, h)
}

// lost is the error of a lock that somebody else has taken.
func lost(job string, h holder) error {
	if h.held() {
		return lockedBy(job, h)
	}
	return &connector.Error{Kind: connector.Locked, Msg: fmt.Sprintf("the lock on job %s was lost", job),
		Hint: "run the job again"}
}
