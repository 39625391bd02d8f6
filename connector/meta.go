package connector

import "context"

type metaKey struct{}

// Meta names the job and the run that work is done for, so that a database's administrator sees whose it is.
type Meta struct{ Job, Run string }

// WithMeta returns a context that carries m to the connector.
func WithMeta(ctx context.Context, m Meta) context.Context {
	return context.WithValue(ctx, metaKey{}, m)
}

// MetaOf returns what WithMeta put into the context, or the zero value.
func MetaOf(ctx context.Context) Meta {
	m, _ := ctx.Value(metaKey{}).(Meta)
	return m
}
