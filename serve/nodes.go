package serve

import (
	"context"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linchpin-graph/linchpin/fleet"
)

// connectionKey is that of a request's connection in its context.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	if encrypted, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = encrypted.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// forNodes answers whoever has shown the token. Connections of nodes stay open, and are many, so they do not count
// among those that strangers may have.
func (s *Service) forNodes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connectionKey{}).(*boundedConn); ok {
			c.release()
		}
		next.ServeHTTP(w, r)
	})
}

// showFleet answers how nodes and shared runs stand: GET /api/fleet.
func (s *Service) showFleet(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, s.o.Fleet.State())
}

// fleetState is how the fleet stands; empty for a service without one.
func (s *Service) fleetState() fleet.State {
	if s.o.Fleet == nil {
		return fleet.State{}
	}
	return s.o.Fleet.State()
}

// nodeMetrics tell of the nodes that are there, at each scrape. A node is known by the name that it gives itself.
type nodeMetrics struct {
	state                 func() fleet.State
	nodes, shards, speeds *prometheus.Desc
	done                  *prometheus.Desc
}

func newNodeMetrics(state func() fleet.State) *nodeMetrics {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("linchpin_fleet_"+name, help, labels, nil)
	}
	return &nodeMetrics{
		state:  state,
		nodes:  describe("nodes", "Nodes of the fleet that are there."),
		shards: describe("node_shards", "Shards of a node that counted, since it joined.", "node", "id"),
		speeds: describe("node_sources_per_second", "Sources that a node does per second.", "node", "id"),
		done:   describe("run_done_ratio", "Share of a run that nodes have done.", "run", "measure"),
	}
}

// Describe implements prometheus.Collector.
func (m *nodeMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.nodes, m.shards, m.speeds, m.done} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (m *nodeMetrics) Collect(to chan<- prometheus.Metric) {
	state := m.state()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(m.nodes, float64(len(state.Nodes)))
	for _, n := range state.Nodes {
		gauge(m.shards, float64(n.Shards), n.Name, n.ID)
		gauge(m.speeds, n.PerSecond, n.Name, n.ID)
	}
	for _, r := range state.Runs {
		gauge(m.done, r.Done, r.Name, r.Measure)
	}
}
