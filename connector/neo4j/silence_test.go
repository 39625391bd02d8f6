package neo4j

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// signsOfLife: a server that computes for longer than a connection may be silent sends signs of life, so that its
// answer is waited for. A connection without them is given up, and the error says after which time.
func signsOfLife(t *testing.T, s *neo4jtest.Server) {
	proxy, err := faultproxy.Start(net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port())))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	db := open(t, s, func(o *Options) { o.URI, o.Retry = "bolt://"+proxy.Address(), -1 })
	const allowed = 3 * time.Second
	end := time.Now().Add(3 * allowed).UnixMilli()
	// It computes until a time, on a machine of any speed, and returns one row then.
	n, err := db.count(t.Context(), "slow", "UNWIND range(1, 1000000000000) AS i "+
		"WITH i, datetime.realtime().epochMillis AS now WHERE now > $end RETURN 1 LIMIT 1",
		map[string]any{"end": end})
	if err != nil || n != 1 {
		t.Errorf("a slow query returned %d, %v", n, err)
	}
	if time.Now().UnixMilli() < end {
		t.Error("the query did not take its time")
	}
	proxy.Arm(faultproxy.Fault{Kind: faultproxy.Drop, At: faultproxy.Trigger{Step: "silent", Message: 2}})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, err = db.count(ctx, "silent", "RETURN 1", nil)
	if want := "bolt://" + proxy.Address() + " sent nothing for 3s"; kindOf(err) != connector.Lost ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("a connection that went silent: %v", err)
	}
}

// TestQueryOverTimeout: the server's own message is waited for when a transaction takes longer than it may.
func TestQueryOverTimeout(t *testing.T) {
	s := neo4jtest.Shared(t)
	db := open(t, s, func(o *Options) { o.Timeout = 5 * time.Second })
	endless := "UNWIND range(1, 1000000000000) AS i WITH i WHERE i < 0 RETURN i"
	if _, err := db.query(t.Context(), "slow", endless, nil); !hasCode(err,
		"Neo.ClientError.Transaction.TransactionTimedOut") {
		t.Errorf("in a transaction: %v", err)
	}
	if err := db.autocommit(t.Context(), "slow", endless, nil, nil); !hasCode(err,
		"Neo.ClientError.Transaction.TransactionTimedOut") {
		t.Errorf("by itself: %v", err)
	}
}
