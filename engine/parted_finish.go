package engine

import (
	"context"
	"iter"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
)

// Finish makes scores of what the first step of all parts found, in the order of the parts. It does the steps after the
// first here. They need a device, and so do scores of a graph that a device reduced. It is called once.
func (p *Parted) Finish(ctx context.Context, of int, found iter.Seq2[*parts.Found, error]) (*Outcome, error) {
	j, err := parts.Join(p.measure, func() []int32 { return sourcesOf(p.task) },
		func(step parts.Step) iter.Seq2[*parts.Found, error] {
			if step.First() {
				return found
			}
			return p.later(ctx, step)
		})
	var out *Outcome
	if err == nil {
		out, err = p.scores(ctx, j, of)
	}
	return out, export.NameNodes(err, p.task.Snapshot.Nodes)
}

// later does a step after the first.
func (p *Parted) later(ctx context.Context, step parts.Step) iter.Seq2[*parts.Found, error] {
	return func(yield func(*parts.Found, error) bool) {
		s, err := p.open(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for f, err := range s.each(ctx, step) {
			if err == nil {
				err = p.sameWay(f.By)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// scores makes scores of what all parts add up to, and checks them.
func (p *Parted) scores(ctx context.Context, j *parts.Joined, of int) (*Outcome, error) {
	if p.run != nil {
		all := p.run.Empty()
		if err := all.Join(j.Partial); err != nil {
			return nil, err
		}
		scores, err := p.run.Finish(all)
		if err != nil {
			return nil, err
		}
		return p.outcome(scores, because{reason: j.Told[0].Reason, expected: true}, of), checkOnCPU(p.measure, p.task, scores)
	}
	out, err := p.scoresOfDevice(ctx, j, of)
	if err != nil {
		return nil, err
	}
	out.Ranking, out.Compute = p.ranking, time.Since(p.begun).Seconds()
	return out, checkOfDevice(p.measure, p.task, out.Scores)
}

// scoresOfDevice makes scores of what all parts of a device add up to.
func (p *Parted) scoresOfDevice(ctx context.Context, j *parts.Joined, of int) (*Outcome, error) {
	if j.By.Plain {
		out := &Outcome{Device: j.By.Device, Strategy: j.By.Strategy, Reason: j.Told[0].Reason}
		out.inShards(of)
		var err error
		out.Scores, _, err = j.Scores(p.measure, p.task.Snapshot.Graph, p.task.Request)
		return out, err
	}
	s, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	out, values, err := s.finish(ctx, j, of)
	if err != nil {
		return nil, err
	}
	out.Times = nil // those of parts are not known
	out.take(p.task, values)
	return out, nil
}
