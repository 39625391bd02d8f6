package node

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/fleet"
)

// sender sends parts while the next shard is computed. One waits at most, so that disk and memory are bounded.
type sender struct {
	node    *Node
	free    chan struct{}
	pending sync.WaitGroup
	ctx     context.Context
	cancel  context.CancelFunc
}

func newSender(n *Node) *sender {
	s := &sender{node: n, free: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.free <- struct{}{}
	return s
}

// How long a part is kept for a coordinator that is away, and for one that has begun again and does not know the run
// yet.
const (
	keepsFor   = 15 * time.Minute
	unknownFor = 30 * time.Second
)

// send has a part sent, and its file removed. It waits while another part is being sent. done is called at the end.
func (s *sender) send(path string, claim fleet.Claim, done func()) {
	<-s.free
	s.pending.Go(func() {
		defer func() {
			os.Remove(path)
			done()
			s.free <- struct{}{}
		}()
		s.deliver(path, claim)
	})
}

// deliver sends a part until it is taken or refused.
func (s *sender) deliver(path string, claim fleet.Claim) {
	log, wait, begun, full := s.node.o.Logger, backoff{}, time.Now(), false
	for s.ctx.Err() == nil && time.Since(begun) < keepsFor {
		accepted, err := s.node.client.send(s.ctx, path, claim)
		refused := (*Refused)(nil)
		switch {
		case err == nil && accepted.First:
			return
		case err == nil:
			log.Info("another node was faster")
			return
		case errors.As(err, &refused) && refused.Status == http.StatusInsufficientStorage && !full:
			log.Warn("the part waits here", "error", err)
			full = true
		case errors.As(err, &refused) && refused.Status == http.StatusNotFound && time.Since(begun) > unknownFor:
			log.Info("the run is over, or the coordinator does not go on with it", "run", claim.Run)
			return
		case errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusNotFound:
			log.Warn("the part was refused", "error", err)
			return
		}
		log.Debug("the part was not sent", "error", err, "again in", wait.next())
		wait.pause(s.ctx)
	}
}

// endIn gives up what is not sent by then.
func (s *sender) endIn(grace time.Duration) { time.AfterFunc(grace, s.cancel) }

// isNetwork reports whether an error is one of the way to the coordinator, not of the computation.
func isNetwork(err error) bool {
	network, unverified := net.Error(nil), (*tls.CertificateVerificationError)(nil)
	return errors.As(err, &network) || errors.As(err, &unverified) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, io.EOF) || errors.Is(err, errAltered) || errors.Is(err, errStalled)
}
