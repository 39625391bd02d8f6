package weighted

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Lanes is the number of sources of a batch.
const Lanes = weightedLanes

// Distances are searches whose distances stay on the device, in ticks of 32 bits, for an engine that folds over them:
// of all sources of a job.
type Distances struct {
	want device.Want
	team teams
	run  *run
}

// PlanDistances fits searches for what is wanted, a measure of the closeness family, into free bytes. The error is
// *gpu.TooLarge when they do not fit.
func PlanDistances(w device.Want, d gpu.Info, free int64) (*Distances, error) {
	rows := RowBytes(w)
	team, least := fitTeams(w, d, free-rows)
	if team.teams == 0 {
		return nil, &gpu.TooLarge{What: "distances", Need: rows + least, Free: free}
	}
	return &Distances{want: w, team: team}, nil
}

// RowBytes is the memory of the distances themselves.
func RowBytes(w device.Want) int64 { return 4 * Lanes * w.Size.Nodes * batchesOf(w.Sources) }

// DeviceBytes bounds the device memory of the searches, the distances included.
func (d *Distances) DeviceBytes() int64 { return RowBytes(d.want) + d.team.bytes(d.want) }

// HostBytes bounds what the searches take of host memory.
func (d *Distances) HostBytes() int64 { return hostBytes(d.want, d.team) }

// Begin orders the nodes of a job and takes memory. Its graph, with ticks and the transpose, is on the device.
func (d *Distances) Begin(c *device.Calls, j *device.Job) {
	d.run = &run{calls: c, job: j, team: d.team, apart: passForward}
	if d.run.begin(beginOrder(j)); c.Err == nil && d.run.metric.Name != "ticks32" {
		c.Err = fmt.Errorf("%d nodes whose distances need %s", j.Graph.N, d.run.metric.Name)
	}
}

// Sources are the sources of the job in the order of batches.
func (d *Distances) Sources() []int32 {
	j := d.run.job
	return order.Arrange(j.Sources, d.run.graph.Turns, j.Host.N())
}

// Places are the new numbers of the sources, in the order of batches.
func (d *Distances) Places() []int32 { return d.run.graph.Places(d.Sources()) }

// Search finds the distances. Progress of the job is told how many sources are done.
func (d *Distances) Search() { d.run.launch(kernelBatchedFoldsTicks32, d.Places(), 0) }

// Rows is where the distances are: batch after batch, of which each has a row of Lanes numbers for every node, in the
// new order.
func (d *Distances) Rows() gpu.Ptr { return d.run.arrays.dist }
