// Package profile is what a device spent its time on, as kernels that count report it.
package profile

// Profile says what a device spent its time on in the single-precision pass of batched, by kernels that count; see
// kernels/batches/profile.cuh.
type Profile struct {
	// Seconds from before the launch to its end.
	Seconds float64 `json:"seconds"`
	// Of these, in the mean of blocks: Forward and Backward are the two passes of batches; Meeting, nearly all of it in
	// these, is what a block waits for the others of its team, Idle what is left when it gets no more batches, Counting
	// what the counts below take.
	Forward  float64 `json:"forward"`
	Backward float64 `json:"backward"`
	Meeting  float64 `json:"meeting"`
	Idle     float64 `json:"idle"`
	Counting float64 `json:"counting"`
	// Batches and their Levels; Entries are nodes of a batch and level that some lane reaches.
	Batches int64 `json:"batches"`
	Levels  int64 `json:"levels"`
	Entries int64 `json:"entries"`
	// Arcs looked at, forwards and backwards, and Rows that were added up along them.
	Arcs int64 `json:"arcs"`
	Rows int64 `json:"rows"`
	// Bytes is about how much was read and written: rows along arcs as counted; rows of entries, masks and targets as
	// reckoned from the numbers above.
	Bytes int64 `json:"bytes"`
	// Weighted is there for runs by weights; Levels are rounds of counts then.
	Weighted *Weighted `json:"weighted,omitempty"`
}

// Weighted is what there is to say of a run by weights besides.
type Weighted struct {
	// Parts of Forward, in seconds: clearing rows, distances, shortest-path arcs, and counts, of which Picking among nodes
	// that wait.
	Starting  float64 `json:"starting"`
	Distances float64 `json:"distances"`
	PathArcs  float64 `json:"tight"` // by the name that older records have
	Counts    float64 `json:"counts"`
	Picking   float64 `json:"picking"`
	// Rounds of distances, the nodes that they Passed on, and the rows that this Lowered along arcs.
	Rounds  int64 `json:"rounds"`
	Passed  int64 `json:"passed"`
	Lowered int64 `json:"lowered"`
	// Rows of distances that were looked at along arcs: Relaxed to lower them, Compared to tell in which lanes an arc ends
	// a shortest path.
	Relaxed  int64 `json:"relaxed"`
	Compared int64 `json:"compared"`
	// Picks are rounds that took nodes along that waited, Looks the times that the arcs of one were looked at for that.
	Picks int64 `json:"picks"`
	Looks int64 `json:"looks"`
}
