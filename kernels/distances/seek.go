package distances

import (
	"context"
	"errors"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Seek finds the nodes of the highest closeness, or harmonic closeness, by hops, as Highest does, by searches of
// somebody else, such as a device.
type Seek struct {
	measure kernels.Measure
	graph   *export.Graph
	request kernels.Request
	// begun is what Begin found, or finds; nil before.
	begun *begunSeek
}

type begunSeek struct {
	cancel  context.CancelCauseFunc
	stop    *stopper.Stopper
	bounded chan struct{} // closed once there are nodes, or an error
	nodes   *topNodes
	err     error
}

// NewSeek returns what finds the highest scores of a request.
func NewSeek(m kernels.Measure, g *export.Graph, r kernels.Request) *Seek {
	return &Seek{measure: m, graph: g, request: r}
}

var errEnded = errors.New("the search for the highest scores ended")

// Begin bounds the scores of all nodes, in the background. The function that it returns ends that, and waits until
// nothing reads the graph any more.
func (s *Seek) Begin() (end func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	b := &begunSeek{cancel: cancel, stop: stopper.New(ctx), bounded: make(chan struct{})}
	s.begun = b
	go func() {
		defer close(b.bounded)
		b.nodes, b.err = newTopNodes(s.measure, s.graph, s.request, b.stop)
	}()
	return func() {
		cancel(errEnded)
		<-b.bounded
		b.stop.Release()
		s.begun = nil
	}
}

// Find calls fold with some nodes after others, those with the highest bounds first, until no other node can be among
// the highest. fold adds the distances to them, and how many there are, to a partial result with the bits of Fold.
// There are up to batch nodes in the first call, or as many as are asked for, and twice as many in each one that
// follows.
func (s *Seek) Find(ctx context.Context, into *kernels.Partial, batch int, fold func(nodes []int32) error) error {
	if s.begun == nil {
		defer s.Begin()()
	}
	b := s.begun
	defer context.AfterFunc(ctx, func() { b.cancel(context.Cause(ctx)) })()
	<-b.bounded
	if b.err != nil {
		return b.err
	}
	b.nodes.into = into
	for size := max(batch, *s.request.Top); ; size *= 2 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		nodes := b.nodes.some(size)
		if len(nodes) == 0 {
			return b.stop.Err()
		}
		if err := fold(nodes); err != nil {
			return err
		}
		for _, v := range nodes {
			b.nodes.learn(v)
		}
	}
}
