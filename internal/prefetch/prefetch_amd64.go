package prefetch

//go:noescape
func askOffsets(offsets *int64, nodes *int32, count int)

//go:noescape
func askSums(offsets *int64, a, b, c *float64, nodes *int32, count int)

//go:noescape
func askRows(offsets *int64, targets, nodes *int32, count, lines int)

//go:noescape
func askTargets(offsets *int64, targets *int32, numbers *float64, levels, nodes *int32, count, most int)
