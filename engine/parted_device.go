package engine

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// open begins the run on devices. Its worker chooses between ways by the rates of the table alone, as all of its kind
// do.
func (p *Parted) open(ctx context.Context) (*shardedRun, error) {
	if p.shards != nil {
		return p.shards, nil
	}
	r := p.task.Request
	o := protocol.Order{Kind: protocol.OrderCompute, Measure: p.task.Measure, Nodes: r.Nodes, Edges: r.Edges}
	if p.task.Way != nil {
		o.Way = p.task.Way.Number
	}
	s, err := p.device.shards(ctx, p.task, o)
	if err != nil {
		return nil, err
	}
	if s.worker, err = s.digest(); err == nil {
		err = p.byTable(ctx, s)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	p.shards, p.seats = s, make(chan *seat, len(s.team.seats))
	for _, at := range s.team.seats {
		p.seats <- at
	}
	return s, nil
}

// byTable has the worker choose by the rates of the table, scaled to the kind of the device.
func (p *Parted) byTable(ctx context.Context, s *shardedRun) error {
	info := s.team.common
	if info == nil {
		devices, err := p.device.devices(ctx)
		index := s.team.seats[0].index
		if err != nil || index >= len(devices) {
			return err // of none; a worker says what is missing
		}
		info = &devices[index]
	}
	rates := plan.Here().ScaledTo(*info).Calibration(*info)
	s.order.Calibration = &rates
	return nil
}

// firstOnDevice computes the first shard, in the first way that fits the device. All others take that way.
func (p *Parted) firstOnDevice(
	ctx context.Context, shard kernels.Shard, step parts.Step,
) (found *parts.Found, err error) {
	s, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	compute := func() error {
		found, err = p.onDevice(ctx, shard, step)
		return err
	}
	if p.task.Way != nil {
		err = compute()
	} else {
		err = s.inWays(compute)
	}
	p.settled = err == nil
	return found, err
}

// onDevice computes a step of a shard on a device.
func (p *Parted) onDevice(ctx context.Context, shard kernels.Shard, step parts.Step) (*parts.Found, error) {
	s := p.shards
	asked, err := s.asked(step)
	if err != nil {
		return nil, err
	}
	at := <-p.seats
	at.busy.Lock()
	found, _, err := s.shard(ctx, at, protocol.Shard{Part: shard, Step: asked}, p.task.Request.Progress)
	at.busy.Unlock()
	p.seats <- at
	if err == nil {
		err = p.sameWay(found.By)
	}
	return found, export.NameNodes(err, p.task.Snapshot.Nodes)
}

// sameWay reports that this machine computes in another way than the machines of the other parts.
func (p *Parted) sameWay(by parts.Way) error {
	if p.task.Way == nil {
		return nil
	}
	return p.task.Way.Check(by)
}

// Close ends the workers of devices. No shard is being computed.
func (p *Parted) Close() {
	if p.shards != nil {
		p.shards.close()
		p.shards = nil
	}
}
