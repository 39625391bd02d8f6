package rank

// Lanes is the number of vectors that one pass over the arcs multiplies: those of a node fill a cache line.
const Lanes = 8

// lanes are the values of a node, side by side.
type lanes [Lanes]float64

// pullLanes is pull for as many vectors at once.
func (m *matrix) pullLanes(vectors, out []lanes, first, last int) {
	offsets, targets := m.graph.Offsets, m.graph.Targets
	for v := first; v < last; v++ {
		row := targets[offsets[v]:offsets[v+1]]
		if m.factors == nil {
			out[v] = sumLanes(vectors, row)
		} else {
			out[v] = sumFactors(vectors, row, m.factors[offsets[v]:][:len(row)])
		}
	}
}

// sumLanes keeps the sums in registers, which the compiler does not do for an array.
func sumLanes(vectors []lanes, row []int32) lanes {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for _, u := range row {
		x := &vectors[u]
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
	}
	return lanes{s0, s1, s2, s3, s4, s5, s6, s7}
}

func sumFactors(vectors []lanes, row []int32, factors []float64) lanes {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for i, u := range row {
		x, f := &vectors[u], factors[i]
		s0 += f * x[0]
		s1 += f * x[1]
		s2 += f * x[2]
		s3 += f * x[3]
		s4 += f * x[4]
		s5 += f * x[5]
		s6 += f * x[6]
		s7 += f * x[7]
	}
	return lanes{s0, s1, s2, s3, s4, s5, s6, s7}
}
