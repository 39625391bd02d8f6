package bench

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/linchpin-graph/linchpin/export/generate"
)

// seed of every generated graph and of seeded weights.
const seed = 42

// rule is one form of names of generated graphs. A capital stands for a number, which 1e5 can be as well.
type rule struct {
	form string
	spec func(a []float64) generate.Spec
}

// rules lists the forms, as the help shows them.
func rules() []rule {
	return []rule{
		{"kronS", func(a []float64) generate.Spec { // the Kronecker graphs of the 10th DIMACS challenge
			return generate.Spec{Kind: generate.RMAT, Scale: int(a[0]), Degree: 48}
		}},
		{"rmatS-E", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.RMAT, Scale: int(a[0]), Degree: int(a[1])}
		}},
		{"ba-N-M", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.BarabasiAlbert, Nodes: int(a[0]), Degree: int(a[1])}
		}},
		{"smallworld-N-K", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.WattsStrogatz, Nodes: int(a[0]), Degree: int(a[1])}
		}},
		{"er-N-M", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.ErdosRenyi, Nodes: int(a[0]), Edges: int(a[1])}
		}},
		{"Cxer-N-M", func(a []float64) generate.Spec { // so many side by side
			return generate.Spec{Kind: generate.ErdosRenyi, Copies: int(a[0]), Nodes: int(a[1]), Edges: int(a[2])}
		}},
		{"rggS", func(a []float64) generate.Spec { // those of the 10th DIMACS challenge
			return generate.Spec{Kind: generate.Geometric, Scale: int(a[0])}
		}},
		{"rggS-D", func(a []float64) generate.Spec { // D is the mean degree away from the border
			n := math.Exp2(a[0])
			return generate.Spec{Kind: generate.Geometric, Scale: int(a[0]), Radius: math.Sqrt(a[1] / (math.Pi * n))}
		}},
		{"delaunayS", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.Delaunay, Scale: int(a[0])}
		}},
		{"gridAxB", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.Grid, Width: int(a[0]), Height: int(a[1])}
		}},
		{"roadAxB", func(a []float64) generate.Spec {
			return generate.Spec{Kind: generate.Road, Width: int(a[0]), Height: int(a[1])}
		}},
	}
}

// match returns the numbers that the name has in place of the form's capitals.
func (r rule) match(name string) ([]float64, bool) {
	pattern := regexp.MustCompile(`[A-Z]`).ReplaceAllString(r.form, `(\d{1,9}(?:e\d)?)`)
	found := regexp.MustCompile("^" + pattern + "$").FindStringSubmatch(name)
	if found == nil {
		return nil, false
	}
	numbers := make([]float64, len(found)-1)
	for i, text := range found[1:] {
		numbers[i], _ = strconv.ParseFloat(text, 64) // the pattern admits numbers only
	}
	return numbers, true
}

// maxNumber keeps the numbers of a name in reach of int32 and of any machine that measures.
const maxNumber = 1e9

// parseRecipe returns what makes the graph of this name.
func parseRecipe(name string) (*generate.Spec, error) {
	for _, r := range rules() {
		numbers, ok := r.match(name)
		if !ok {
			continue
		}
		for _, x := range numbers {
			if x < 1 || x > maxNumber {
				return nil, fmt.Errorf("%g is not between 1 and %g", x, maxNumber)
			}
		}
		spec := r.spec(numbers)
		if spec.Scale > 30 {
			return nil, fmt.Errorf("scale %d; the largest is 30", spec.Scale)
		}
		spec.Seed = seed
		return &spec, nil
	}
	return nil, errors.New("there is no such graph; linchpin-bench --list shows the names")
}
