package flow

// Approximately has a run make no exact factors.
func (r *Run) Approximately() { r.limit = func(_, _ int64) int64 { return -1 } }
