package serve

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// traces sends a span for each run and each of its steps to an OpenTelemetry collector. The zero value sends nothing.
type traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer

	mu   sync.Mutex
	runs map[string]*spans // by run id
}

// spans are those of a run under way.
type spans struct {
	ctx       context.Context
	run, step trace.Span
}

// newTraces sends to the collector at the endpoint, such as http://localhost:4318; "" sends nothing. What cannot be
// sent is logged.
func newTraces(ctx context.Context, endpoint, version string, logger *slog.Logger) (*traces, error) {
	t := &traces{runs: map[string]*spans{}}
	if endpoint == "" {
		return t, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimSuffix(endpoint, "/")+"/v1/traces"),
		otlptracehttp.WithTimeout(5*time.Second))
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { logger.Warn("traces could not be sent", "error", err) }))
	t.provider = sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "linchpin"), attribute.String("service.version", version))))
	t.tracer = t.provider.Tracer("github.com/linchpin-graph/linchpin")
	return t, nil
}

func (t *traces) observe(e jobs.Event) {
	if t.provider == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Kind == jobs.Started {
		ctx, span := t.tracer.Start(context.Background(), "run "+e.Job, trace.WithAttributes(
			attribute.String("linchpin.job", e.Job), attribute.String("linchpin.run", e.Run),
			attribute.String("linchpin.trigger", string(e.Trigger))))
		t.runs[e.Run] = &spans{ctx: ctx, run: span}
		return
	}
	s := t.runs[e.Run]
	if s == nil {
		return
	}
	switch e.Kind {
	case jobs.Stepped:
		s.endStep()
		_, s.step = t.tracer.Start(s.ctx, string(e.Step))
	case jobs.StepDone:
		s.endStep(attribute.String("linchpin.result", e.Text))
	case jobs.Noted:
		s.run.AddEvent(e.Text)
	case jobs.Ended, jobs.WasSkipped:
		s.endStep()
		r := e.Record
		s.run.SetAttributes(attribute.String("linchpin.status", string(r.Status)),
			attribute.String("linchpin.device", r.Device), attribute.String("linchpin.reason", r.Reason),
			attribute.Int64("linchpin.nodes", r.Nodes), attribute.Int64("linchpin.edges", r.Edges))
		if r.Status == connector.Failed || r.Status == connector.Unfinished {
			s.run.SetStatus(codes.Error, r.Error)
		}
		s.run.End()
		delete(t.runs, e.Run)
	}
}

func (s *spans) endStep(attributes ...attribute.KeyValue) {
	if s.step == nil {
		return
	}
	s.step.SetAttributes(attributes...)
	s.step.End()
	s.step = nil
}

// close sends what is left, within two seconds.
func (t *traces) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if t.provider != nil {
		_ = t.provider.Shutdown(ctx) // a collector that is gone is no reason to fail
	}
}
