package gpu

import "github.com/linchpin-graph/linchpin/kernels"

// ProtocolVersion is the version of what linchpin and its worker say to one another. It changes with every change of
// Order, Event, or the files that they name.
//
// linchpin starts the worker with -events 3. The worker sends hello on file descriptor 3, linchpin one Order on standard
// input, and the worker answers with events until a last one: devices, result or error. Each is one line of JSON. Graph,
// sources and scores go through files. End of standard input means cancel. What the worker prints is kept for error
// messages and never read as an answer.
const ProtocolVersion = 1

// maxLine is the longest line that either side accepts, in bytes.
const maxLine = 64 << 10

// Kinds of Order.
const (
	OrderDevices = "devices"
	OrderCompute = "compute"
)

// Order is what linchpin wants of a worker.
type Order struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	// Device is an index among the visible devices.
	Device int `json:"device"`
	// Snapshot is the path of a snapshot file, Graph the Fingerprint of the graph that must be in it. Sources names a file of int32 node indices, little-endian; "" for all.
	Snapshot string `json:"snapshot,omitempty"`
	Graph    uint32 `json:"graph,omitempty"`
	Sources  string `json:"sources,omitempty"`
	// Scores is the path of a file to map and fill with float64, little-endian: nodes, then edges, where wanted. It has
	// the right length already.
	Scores  string         `json:"scores,omitempty"`
	Measure string         `json:"measure,omitempty"`
	Params  kernels.Params `json:"params"`
	Nodes   bool           `json:"nodes,omitempty"`
	Edges   bool           `json:"edges,omitempty"`
	Scale   float64        `json:"scale,omitempty"`
	// Strategy is a name or "auto".
	Strategy string `json:"strategy,omitempty"`
	Single   bool   `json:"single,omitempty"`
}

// Kinds of Event.
const (
	EventHello    = "hello"
	EventBeat     = "beat" // nothing new; the worker is alive
	EventDevices  = "devices"
	EventPlanned  = "planned"
	EventProgress = "progress"
	EventResult   = "result"
	EventError    = "error"
)

// Event is what a worker says. Only the part of its kind is set.
type Event struct {
	Event    string       `json:"event"`
	Version  int          `json:"version,omitempty"` // hello
	Devices  []DeviceInfo `json:"devices,omitempty"`
	Planned  *Planned     `json:"planned,omitempty"`
	Progress *Progress    `json:"progress,omitempty"`
	Result   *Result      `json:"result,omitempty"`
	Reason   Reason       `json:"reason,omitempty"` // error
	Detail   string       `json:"detail,omitempty"` // error
}

// Planned is what a worker is about to do.
type Planned struct {
	Device   string `json:"device"`
	Strategy string `json:"strategy"`
	// Reason is one line on why this strategy.
	Reason string `json:"reason"`
	// HostBytes and DeviceBytes bound the memory it takes, the uploaded graph included.
	HostBytes   int64 `json:"hostBytes"`
	DeviceBytes int64 `json:"deviceBytes"`
	Blocks      int   `json:"blocks"`
}

// Progress counts sources.
type Progress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Result is what a worker has to say besides the scores.
type Result struct {
	Pairs      int64   `json:"pairs"`
	Distance   float64 `json:"distance"`
	Ties       string  `json:"ties,omitempty"`
	Preprocess float64 `json:"preprocess"`
	Compute    float64 `json:"compute"`
	PeakBytes  int64   `json:"peakBytes"`
	Note       string  `json:"note,omitempty"`
}
