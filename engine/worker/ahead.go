package worker

import (
	"errors"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// ahead are the rows of a graph, which go to a device while it is found out who computes: all engines need them, and
// from few sources a search takes no longer than a look at the graph. On nil there are none.
type ahead struct {
	memory *gpu.Arena
	// graph is whose rows they are; nil for none.
	graph *export.Graph
	rows  *device.Graph
	// err is that of giving back what did not fit.
	err error
}

// aheadOf is where the rows of the task's graph go while it is chosen for; nil where they do not: those of all but a
// sample, or of what is to be reduced.
func (t *task) aheadOf(d gpu.Device) *ahead {
	j := &t.job
	asked := j.Request.Reduce != "" && j.Request.Reduce != kernels.ReduceAuto && j.Request.Reduce != kernels.ReduceOff
	if j.All || asked || t.taking().Named() {
		return nil
	}
	return &ahead{memory: &gpu.Arena{Device: d}}
}

// while runs look in a goroutine of its own while the rows of g go to the device. After an error there are none: who
// uploads the graph meets it again.
func (a *ahead) while(g *export.Graph, look func()) {
	if a == nil || a.graph != nil {
		look()
		return
	}
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		look()
	}()
	rows, err := device.UploadRows(a.memory, g)
	if err == nil {
		a.graph, a.rows = g, rows
	} else {
		a.err = a.memory.Release()
	}
	<-looked
}

// of returns the rows of g; nil where they are not on the device. Rows of another graph are given back.
func (a *ahead) of(g *export.Graph) (*device.Graph, error) {
	if a == nil {
		return nil, nil
	}
	if a.graph != g {
		return nil, errors.Join(a.err, a.release())
	}
	return a.rows, nil
}

// release gives back the memory of the rows.
func (a *ahead) release() error {
	if a == nil {
		return nil
	}
	a.graph, a.rows = nil, nil
	return a.memory.Release()
}
