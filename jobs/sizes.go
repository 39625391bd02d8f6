package jobs

import "github.com/linchpin-graph/linchpin/connector"

// describeGroups sets the groups that the scores number, and describes their sizes.
func describeGroups(s *connector.ScoreSummary, numbers []float64) {
	sizes := sizesOf(numbers)
	describeValues(s, sizes)
	s.Groups = &connector.Groups{Count: int64(len(sizes)), Largest: []connector.Group{}}
	for _, group := range highest(sizes, listed) {
		s.Groups.Largest = append(s.Groups.Largest, connector.Group{Number: int64(group), Size: int64(sizes[group])})
	}
	s.Count = int64(len(numbers))
}

// sizesOf counts the entities of each group, by its number. Groups are numbered without gaps.
func sizesOf(numbers []float64) []float64 {
	var sizes []float64
	for _, number := range numbers {
		for len(sizes) <= int(number) {
			sizes = append(sizes, 0)
		}
		sizes[int(number)]++
	}
	return sizes
}
