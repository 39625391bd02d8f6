package gpu

// Common is what devices have in common: the least of each, with the name of the first. What is planned for it runs on
// all of them. There is at least one.
func Common(all ...Info) Info {
	out := all[0]
	for _, d := range all[1:] {
		if d.Major < out.Major || d.Major == out.Major && d.Minor < out.Minor {
			out.Major, out.Minor = d.Major, d.Minor
		}
		out.SMs, out.Threads = min(out.SMs, d.SMs), min(out.Threads, d.Threads)
		out.SharedBlock, out.L2 = min(out.SharedBlock, d.SharedBlock), min(out.L2, d.L2)
		out.Bandwidth = min(out.Bandwidth, d.Bandwidth)
		out.Free, out.Total = min(out.Free, d.Free), min(out.Total, d.Total)
		out.Display, out.Driver = out.Display || d.Display, min(out.Driver, d.Driver)
	}
	return out
}

// Alike reports whether devices are of one kind, so that each is as fast as the others.
func Alike(all ...Info) bool {
	for _, d := range all {
		if d.Name != all[0].Name || d.SMs != all[0].SMs || d.Total != all[0].Total {
			return false
		}
	}
	return true
}
