package cpu

func scale(scores []float64, factor float64) {
	for i := range scores {
		scores[i] *= factor
	}
}
