package correlation

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var up, down = math.Inf(1), math.Inf(-1)

// TestAgainstSciPy compares with scipy.stats.spearmanr and scipy.stats.kendalltau of SciPy 1.17.1.
func TestAgainstSciPy(t *testing.T) {
	for _, c := range []struct {
		x, y              []float64
		spearman, kendall float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 20, 30, 4000}, 1, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 0.9486832980505139, 0.912870929175277},
		{[]float64{1, 1, 2, 2, 3, 3}, []float64{6, 5, 5, 4, 1, 1}, -0.9231861823449954, -0.8807048459279793},
		{[]float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}, []float64{2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4}, 0.1384567651467695,
			0.14757295747452434},
		{[]float64{0, 0, 0, 0, 1}, []float64{1, 2, 3, 4, 5}, 0.7071067811865475, 0.6324555320336759},
		{[]float64{5, 4, 3, 2, 1, 0, -1}, []float64{1, 1, 2, 2, 2, 3, 3}, -0.9449111825230683, -0.8728715609439696},
		{[]float64{up, 1, down, 1}, []float64{4, 2, 1, 3}, 0.9486832980505139, 0.912870929175277},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, math.NaN(), math.NaN()},
		{[]float64{1, 2, 3}, []float64{1, 1, 1}, math.NaN(), math.NaN()},
		{[]float64{1}, []float64{1}, math.NaN(), math.NaN()},
		{nil, nil, math.NaN(), math.NaN()},
	} {
		for _, f := range []struct {
			name string
			got  float64
			want float64
		}{{"Spearman", Spearman(c.x, c.y), c.spearman}, {"Kendall", Kendall(c.x, c.y), c.kendall}} {
			if math.Abs(f.got-f.want) > 1e-12 || math.IsNaN(f.got) != math.IsNaN(f.want) {
				t.Errorf("%s of %v and %v: %v, want %v", f.name, c.x, c.y, f.got, f.want)
			}
		}
	}
}

// drawLists returns two lists with many ties.
func drawLists(t *rapid.T) (x, y []float64) {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	value := rapid.Map(rapid.IntRange(-4, 9), func(i int) float64 { return float64(i) })
	return rapid.SliceOfN(value, n, n).Draw(t, "x"), rapid.SliceOfN(value, n, n).Draw(t, "y")
}

// TestKendallCountsEveryPair compares with its definition, pair by pair.
func TestKendallCountsEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawLists(t)
		var agree, inX, inY float64
		for i := range x {
			for k := range i {
				a, b := sign(x[i]-x[k]), sign(y[i]-y[k])
				agree, inX, inY = agree+a*b, inX+a*a, inY+b*b
			}
		}
		want := agree / math.Sqrt(inX*inY)
		if got := Kendall(x, y); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// TestAgreementIsSymmetric and perfect of a list with itself.
func TestAgreementIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawLists(t)
		k := rapid.IntRange(1, len(x)).Draw(t, "k")
		for name, of := range map[string]func(x, y []float64) float64{
			"Spearman": Spearman, "Kendall": Kendall, "Overlap": func(x, y []float64) float64 { return Overlap(x, y, k) },
		} {
			if a, b := of(x, y), of(y, x); math.Abs(a-b) > 1e-12 {
				t.Fatalf("%s is %v and %v", name, a, b)
			}
		}
		if all := Overlap(x, y, len(x)); math.Abs(all-1) > 1e-12 {
			t.Fatalf("all overlap to %v", all)
		}
	})
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		k    int
		want float64
	}{
		{[]float64{4, 3, 2, 1}, []float64{4, 1, 2, 3}, 1, 1},
		{[]float64{4, 3, 2, 1}, []float64{4, 1, 2, 3}, 2, .5},
		{[]float64{4, 3, 2, 1}, []float64{1, 2, 3, 4}, 2, 0},
		// one for sure, and each of the other three by 1/3 in both
		{[]float64{2, 1, 1, 1}, []float64{2, 1, 1, 1}, 2, 2. / 3},
		{[]float64{1, 1, 1, 1}, []float64{4, 3, 2, 1}, 2, .5},       // any two of four
		{[]float64{up, 1, 0, down}, []float64{9, 8, down, 0}, 2, 1}, // infinite scores are the highest and the lowest
	} {
		if got := Overlap(c.x, c.y, c.k); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d of %v and %v: %v, want %v", c.k, c.x, c.y, got, c.want)
		}
	}
}
