package neo4j

import (
	"context"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/process"
)

// A request is a node (:LinchpinRequest {job}) that anybody may make. A service takes it by setting state, service and
// request, and answers by setting state again. Transactions that take or free requests hold one key, see one, so two
// services never take the same request. A service that has taken requests has a lease, (:LinchpinLock {name:
// ":requests/SERVICE"}). When the lease runs out, or the service's process is gone from this machine, others free what
// it has taken.

// mostTaken bounds the requests of one transaction.
const mostTaken = 1000

const (
	// asking is true for a node r that no service has looked at since somebody made it or removed its state.
	asking = "NOT coalesce(r.state IN ['waiting', 'running', 'succeeded', 'failed', 'refused'], false)"
	taken  = "r.state IN ['waiting', 'running']"
)

// requestLock names the lease of a service. No name of a job has a colon.
func requestLock(service string) string { return ":requests/" + service }

// RequestsNow looks at what is asked for. It writes nothing.
func (db *DB) RequestsNow(ctx context.Context) (connector.Requests, error) {
	var all connector.Requests
	rows, err := db.query(ctx, "requests", "MATCH (r:"+requestLabel+") "+
		"WHERE NOT coalesce(r.state IN ['succeeded', 'failed', 'refused'], false) RETURN DISTINCT coalesce("+taken+
		", false) AS taken, "+
		"CASE WHEN "+taken+" THEN coalesce(left(toStringOrNull(r.service), 200), '') END, "+
		"CASE WHEN "+taken+" THEN coalesce(left(toStringOrNull(r.request), 200), '') END ORDER BY taken LIMIT 1000", nil)
	for _, row := range rows {
		if row[0] != true {
			all.New = true
			continue
		}
		var by connector.TakenBy
		by.Service, _ = row[1].(string)
		by.Request, _ = row[2].(string)
		all.Taken = append(all.Taken, by)
	}
	return all, err
}

// one keeps other services from taking or freeing requests until the transaction ends.
func (t tx) one(ctx context.Context) error {
	return t.rows(ctx, "MERGE (l:"+lockLabel+" {name: ':requests'}) DELETE l", nil, nil)
}

// TakeRequests takes new requests for a service, those for its jobs first, a thousand at most. For each, judge says
// whether the service takes it or refuses it with an error text; otherwise it is left alone. judge must give the same
// answers when it is asked again. Those of one job get the id "TOGETHER/JOB". It returns how many were taken or
// refused.
func (db *DB) TakeRequests(ctx context.Context, service, owner, together string, jobs []string,
	judge func(connector.Request) (take bool, refusal string)) (took, refused int, err error) {
	if err := db.ensureSchema(ctx); err != nil {
		return 0, 0, err
	}
	err = db.transact(ctx, work{step: "requests", writes: true, timeout: lockTimeout,
		do: func(ctx context.Context, t tx) error {
			if err := t.one(ctx); err != nil {
				return err
			}
			take, refuse, err := t.judgeRequests(ctx, together, jobs, judge)
			if err != nil {
				return err
			}
			took, refused = len(take.ids), len(refuse.ids)
			if took > 0 {
				if err := t.requestLease(ctx, service, owner); err != nil {
					return err
				}
			}
			if err := t.setRequests(ctx, take, "SET r.state = 'waiting', r.service = $service, r.request = $texts[i], "+
				"r.received = datetime() REMOVE r.run, r.error, r.note, r.finished", service); err != nil {
				return err
			}
			return t.setRequests(ctx, refuse, "SET r.state = 'refused', r.error = $texts[i], r.received = datetime(), "+
				"r.finished = datetime() REMOVE r.run, r.note, r.service, r.request", service)
		}})
	return took, refused, err
}

// nodeTexts are nodes by their ids, with a text for each.
type nodeTexts struct {
	ids   []any
	texts []string
}

func (n *nodeTexts) add(id any, text string) {
	n.ids, n.texts = append(n.ids, id), append(n.texts, text)
}

// judgeRequests reads new requests and has them judged.
func (t tx) judgeRequests(ctx context.Context, together string, jobs []string,
	judge func(connector.Request) (bool, string)) (take, refuse nodeTexts, err error) {
	flag := func(name string) string {
		return "CASE WHEN r." + name + " IS NULL THEN 0 WHEN r." + name + " = false THEN 1 WHEN r." + name +
			" = true THEN 2 ELSE 3 END"
	}
	isText := func(name string) string { return "coalesce(r." + name + " = toStringOrNull(r." + name + "), false)" }
	err = t.rows(ctx, "MATCH (r:"+requestLabel+") WHERE "+asking+
		" WITH r ORDER BY coalesce(r.job IN $jobs, false) DESC LIMIT $most RETURN "+t.db.id("r")+
		", left(toStringOrNull(r.job), 100), "+isText("job")+", "+flag("recompute")+", "+flag("ignoreLimits")+
		", r.by IS NULL OR "+isText("by")+", [k IN keys(r) WHERE NOT k IN $known | left(k, 100)][..3]",
		map[string]any{"jobs": jobs, "most": mostTaken, "known": requestProperties()}, func(row []any) {
			r := requestOf(row)
			if taking, refusal := judge(r); taking {
				take.add(row[0], together+"/"+r.Job)
			} else if refusal != "" {
				refuse.add(row[0], refusal)
			}
		})
	return take, refuse, err
}

// requestProperties are those that a request may have.
func requestProperties() []string {
	return []string{"job", "recompute", "ignoreLimits", "by",
		"state", "run", "error", "note", "received", "finished", "service", "request"}
}

func requestOf(row []any) connector.Request {
	var r connector.Request
	r.Job, _ = row[1].(string)
	r.JobIsText, _ = row[2].(bool)
	recompute, _ := row[3].(int64)
	ignoreLimits, _ := row[4].(int64)
	r.Recompute, r.IgnoreLimits = connector.Flag(recompute), connector.Flag(ignoreLimits)
	r.ByIsText, _ = row[5].(bool)
	for _, name := range list(row[6]) {
		if text, ok := name.(string); ok {
			r.Unknown = append(r.Unknown, text)
		}
	}
	return r
}

// setRequests changes the nodes that still are new requests.
func (t tx) setRequests(ctx context.Context, n nodeTexts, change, service string) error {
	if len(n.ids) == 0 {
		return nil
	}
	return t.rows(ctx, "UNWIND range(0, size($ids) - 1) AS i MATCH (r) WHERE "+t.db.id("r")+" = $ids[i] AND r:"+
		requestLabel+" AND "+asking+" "+change,
		map[string]any{"ids": n.ids, "texts": n.texts, "service": service}, nil)
}

// requestLease begins the service's lease, or extends it.
func (t tx) requestLease(ctx context.Context, service, owner string) error {
	me := process.Self()
	return t.rows(ctx, "MERGE (l:"+lockLabel+" {name: $name}) SET l.owner = $owner, l.token = $service, "+
		"l.since = coalesce(l.since, datetime()), l.until = timestamp() + $lease, l.host = $host, l.boot = $boot, "+
		"l.pidNamespace = $namespace, l.pid = $pid, l.started = $started",
		map[string]any{"name": requestLock(service), "owner": owner, "service": service,
			"lease": connector.RequestLease.Milliseconds(), "host": me.Host, "boot": me.Boot, "namespace": me.Namespace,
			"pid": me.PID, "started": me.Started}, nil)
}

// KeepRequests extends the lease of a service on what it has taken.
func (db *DB) KeepRequests(ctx context.Context, service, owner string) error {
	return db.transact(ctx, work{step: "requests", writes: true, timeout: lockTimeout,
		do: func(ctx context.Context, t tx) error { return t.requestLease(ctx, service, owner) }})
}

// RequestsTaken returns what the service has taken under ids that begin with prefix and has not answered.
func (db *DB) RequestsTaken(ctx context.Context, service, prefix string) ([]connector.Taken, error) {
	rows, err := db.query(ctx, "requests", "MATCH (r:"+requestLabel+") WHERE "+taken+" AND r.service = $service AND "+
		"r.request STARTS WITH $prefix RETURN r.request, count(*), max(CASE WHEN r.recompute = true THEN 1 ELSE 0 END), "+
		"max(CASE WHEN r.ignoreLimits = true THEN 1 ELSE 0 END), "+
		"collect(DISTINCT left(toStringOrNull(r.by), 100))[..4] ORDER BY r.request",
		map[string]any{"service": service, "prefix": prefix})
	var out []connector.Taken
	for _, row := range rows {
		var x connector.Taken
		x.Request, _ = row[0].(string)
		_, x.Job = cutRequest(x.Request)
		x.Count, _ = row[1].(int64)
		x.Recompute, x.IgnoreLimits = row[2] == int64(1), row[3] == int64(1)
		for _, by := range list(row[4]) {
			if text, ok := by.(string); ok {
				x.By = append(x.By, text)
			}
		}
		out = append(out, x)
	}
	return out, err
}
