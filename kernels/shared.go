package kernels

import (
	"encoding/json"
	"slices"
	"sync"
)

// Shared is what computations of one graph have in common: what one has made, others take. Scores have the same bits
// with it and without.
type Shared struct {
	// Requests are those that share.
	Requests []Request

	mu   sync.Mutex
	made map[any]any
}

// Ranges returns the requests that share a pass over several ranges with this one, itself included; nil where there are
// none.
func (r Request) Ranges() []Request {
	if r.Shared == nil || r.Within() == 0 {
		return nil
	}
	return r.Shared.Requests
}

// Pass names what a computation can share with others of the same graph: those of the same name do. "" is nothing.
func (m Measure) Pass(r Request) string {
	var of []any
	switch {
	case slices.Contains([]Kind{Trusses, Triangles, Clustering, Similarity, Curvature}, m.Kind):
		return "triangles"
	case m.BySource && r.Within() > 0:
		pairs, sources := *r.Pairs, Pairs{Targets: r.Sources}
		pairs.Within = 0
		of = []any{m.Name, r.Params, sources.Digest(), pairs.Digest()}
	case m.Kind.Restarts() && r.Sources != nil:
		r.Variant = ""
		of = []any{m.Name, r.Params}
	default:
		return ""
	}
	text, err := json.Marshal(of)
	if err != nil {
		return "" // not reached: options are numbers and words
	}
	return string(text)
}

// Make returns what was made under a key, or makes it. Without s it is made for this computation alone. What is not
// made because of an error is left to the next one.
func Make[T any](s *Shared, key any, make func() (T, error)) (T, error) {
	if s == nil {
		return make()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if made, ok := s.made[key].(T); ok {
		return made, nil
	}
	made, err := make()
	if err == nil {
		if s.made == nil {
			s.made = map[any]any{}
		}
		s.made[key] = made
	}
	return made, err
}
