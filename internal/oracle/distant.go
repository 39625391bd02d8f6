package oracle

// Distant returns the scores of all n nodes by the definitions of measures that fold distances, by name.
func (o *Oracle) Distant(n int) map[string][]float64 {
	all := make([]int, n)
	for v := range all {
		all[v] = v
	}
	out, _ := o.Reach(all)
	closeness, graph, eccentricity := make([]float64, n), make([]float64, n), make([]float64, n)
	for v, distances := range out {
		if len(distances) == 0 {
			continue
		}
		sum, most := 0.0, 0.0
		for _, d := range distances {
			sum, most = sum+d, max(most, d)
		}
		closeness[v], graph[v], eccentricity[v] = float64(len(distances))/sum, 1/most, most
	}
	return map[string][]float64{"closeness": closeness, "graph": graph, "eccentricity": eccentricity}
}
