package plan

func cpuThread() CPURates { return CPURates{} }

func (r Rates) plainCost(f *Features, threads int) Cost                    { return Cost{} }
func (r Rates) reducedCost(f *Features, left Reductions, threads int) Cost { return Cost{} }
