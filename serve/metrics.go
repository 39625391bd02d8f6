package serve

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// metrics are what Prometheus scrapes. Labels are names of jobs and words of ours, never of users' data.
type metrics struct {
	registry  *prometheus.Registry
	runs      *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	steps     *prometheus.HistogramVec
	read      *prometheus.CounterVec
	written   *prometheus.CounterVec
	gteps     *prometheus.GaugeVec
	fallbacks *prometheus.CounterVec
	succeeded *prometheus.GaugeVec
	warnings  *prometheus.GaugeVec
	missed    *prometheus.CounterVec
	retries   *prometheus.CounterVec
	lag       prometheus.Histogram
	waits     prometheus.Histogram
	locked    *prometheus.CounterVec
	reloads   *prometheus.CounterVec
	jumps     prometheus.Counter
	hookCalls *prometheus.CounterVec
	drift     *prometheus.GaugeVec
	requests  *prometheus.CounterVec
}

func newMetrics(version string) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	long := prometheus.ExponentialBuckets(0.1, 3, 12) // 0.1 s to 5 h
	m.runs = counters("runs_total", "Runs by how they ended.", "job", "status")
	m.duration = histograms("run_duration_seconds", "Time of runs that did something.", long, "job")
	m.steps = histograms("step_duration_seconds", "Time of the steps of runs.", long, "job", "step")
	m.read = counters("relationships_read_total", "Relationships exported.", "job")
	m.written = counters("entities_written_total", "Entities that were given scores.", "job")
	m.gteps = gauges("compute_gteps", "Giga traversed edges a second of the last run.", "job")
	m.fallbacks = counters("fallbacks_total", "Runs that a GPU was meant for and the CPU computed, by reason.",
		"job", "reason")
	m.succeeded = gauges("last_success_timestamp_seconds", "When the job last succeeded or found nothing to do.", "job")
	m.warnings = gauges("run_warnings", "Warnings of the job's last successful run.", "job")
	m.missed = counters("missed_total", "Due times that passed without a run.", "job")
	m.retries = counters("retries_total", "Attempts after the first.", "job")
	m.lag = histogram("scheduler_lag_seconds", "How late scheduled runs were dispatched.",
		[]float64{.001, .01, .1, .25, .5, 1, 2, 5, 30, 60})
	m.waits = histogram("place_wait_seconds", "How long runs stood in line for a place.", long)
	m.locked = counters("lock_refusals_total", "Runs skipped because another process held the job's lock.", "job")
	m.reloads = counters("config_reloads_total", "Reloads of the config.", "result")
	m.jumps = prometheus.NewCounter(prometheus.CounterOpts{Namespace: "linchpin", Name: "clock_jumps_total",
		Help: "Jumps of the wall clock."})
	m.hookCalls = counters("hook_calls_total", "Calls of hooks.", "result")
	m.drift = gauges("rank_correlation", "Rank correlation of the scores with those of the run before.", "job", "property")
	m.requests = counters("requests_total", "Requests in the database that were answered, by the answer.", "state")
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "linchpin", Name: "build_info", Help: "Always 1."},
		[]string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.runs, m.duration, m.steps, m.read, m.written, m.gteps, m.fallbacks, m.succeeded, m.warnings,
		m.missed, m.retries, m.lag, m.waits, m.locked, m.reloads, m.jumps, m.hookCalls, m.drift, m.requests, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "linchpin", Name: name, Help: help}, labels)
}

func gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "linchpin", Name: name, Help: help}, labels)
}

func histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "linchpin", Name: name, Help: help,
		Buckets: buckets}, labels)
}

func histogram(name, help string, buckets []float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "linchpin", Name: name, Help: help,
		Buckets: buckets})
}

// watch adds what is looked up at each scrape.
func (m *metrics) watch(s *Service) {
	gauge := func(name, help string, f func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "linchpin", Name: name, Help: help},
			f))
	}
	if s.o.Fleet != nil {
		m.registry.MustRegister(newNodeMetrics(s.fleetState))
	}
	gauge("database_up", "Whether the database answers.", func() float64 {
		if s.health.databaseUp() == nil {
			return 1
		}
		return 0
	})
	gauge("runs_active", "Runs under way or in line.", func() float64 {
		n := 0
		for _, st := range s.scheduler.Standings() {
			if st.Active != nil {
				n++
			}
		}
		return float64(n)
	})
	gauge("requests_open", "Requests in the database that were taken and not answered.", func() float64 {
		return float64(s.requests.open.Load())
	})
	gauge("records_pending", "Run records that wait for the database.", func() float64 {
		return float64(s.scheduler.Unrecorded())
	})
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
}

// observe counts an event.
func (m *metrics) observe(e jobs.Event) {
	switch e.Kind {
	case jobs.Started:
		m.waits.Observe(e.Waited.Seconds())
		if e.Lag > 0 {
			m.lag.Observe(e.Lag.Seconds())
		}
	case jobs.Retrying:
		m.retries.WithLabelValues(e.Job).Inc()
	case jobs.Clock:
		m.jumps.Inc()
	case jobs.WasMissed:
		m.missed.WithLabelValues(e.Job).Add(float64(e.Record.Times))
	case jobs.Ended, jobs.WasSkipped:
		m.ended(*e.Record)
	}
}

func (m *metrics) ended(r connector.Run) {
	m.runs.WithLabelValues(r.Job, string(r.Status)).Inc()
	if r.Status == connector.Skipped {
		switch {
		case strings.Contains(r.Note, "is locked by"):
			m.locked.WithLabelValues(r.Job).Inc()
		case strings.Contains(r.Note, "unchanged"), strings.Contains(r.Note, "did not change"):
			m.success(r)
		}
		return
	}
	m.duration.WithLabelValues(r.Job).Observe(total(r.Seconds))
	for step, seconds := range r.Seconds {
		m.steps.WithLabelValues(r.Job, step).Observe(seconds)
	}
	m.read.WithLabelValues(r.Job).Add(float64(r.Relationships))
	m.written.WithLabelValues(r.Job).Add(float64(r.Write.Written))
	if r.Fallback != "" {
		m.fallbacks.WithLabelValues(r.Job, r.Fallback).Inc()
	}
	if r.Status == connector.Succeeded {
		m.success(r)
		m.gteps.WithLabelValues(r.Job).Set(r.Gteps)
		for _, s := range r.Scores {
			if s.Rank != nil {
				m.drift.WithLabelValues(r.Job, s.Property).Set(*s.Rank)
			}
		}
	}
}

// success notes when a job was last known to be as it should, and the warnings of the run that wrote its scores.
func (m *metrics) success(r connector.Run) {
	if r.Status == connector.Succeeded {
		m.warnings.WithLabelValues(r.Job).Set(float64(len(r.Warnings)))
	}
	m.succeeded.WithLabelValues(r.Job).Set(float64(r.Finished.UnixMilli()) / 1e3)
}

// forget removes what says how a job stands that is no longer in the config: an alert by its age would never end. What
// was counted stays.
func (m *metrics) forget(job string) {
	for _, g := range []*prometheus.GaugeVec{m.succeeded, m.warnings, m.gteps, m.drift} {
		g.DeletePartialMatch(prometheus.Labels{"job": job})
	}
}
