package device

import "github.com/linchpin-graph/linchpin/gpu"

// Beginner is a Prepared that can begin on a run without the device, on threads of its own, while the graph is
// uploaded.
type Beginner interface {
	// Begin begins on the job that is run next. The function that it returns waits until nothing reads the job's graph any
	// more.
	Begin(j *Job) (wait func())
}

// Keeper is a Prepared whose shards share what takes long to find.
type Keeper interface {
	// Keep has the shards that are run from now on leave on a device what they share, until release frees it.
	Keep(d gpu.Device) (release func() error)
}
