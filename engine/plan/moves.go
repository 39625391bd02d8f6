package plan

// Nodes join groups one after the other, so more threads change little: these times are of all threads together, all of which but
// one wait.

func (r Rates) labelsOnCPU(f *Features, threads int) float64 {
	return r.movesOnCPU(f, threads, r.CPU.Labels)
}

func (r Rates) modulesOnCPU(f *Features, threads int) float64 {
	return r.movesOnCPU(f, threads, r.CPU.Modules)
}

func (r Rates) connectedModulesOnCPU(f *Features, threads int) float64 {
	return r.movesOnCPU(f, threads, r.CPU.Connected)
}

// movesOnCPU is the time to look at all nodes and arcs, as often as the rate includes.
func (r Rates) movesOnCPU(f *Features, threads int, rate Rate) float64 {
	return rate.in(float64(f.Nodes)+float64(f.Arcs)) * r.misses(f) * r.busy(f, threads)
}
