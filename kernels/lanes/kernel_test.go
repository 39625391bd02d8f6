package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// inputs are arguments of kernels: a row of 64 lanes for each node, of which one is the kernels' own.
type inputs struct {
	targets     []int32
	masks       []uint64
	rows        []float64
	most, delta [MaxLanes]float64
	masses      [MaxLanes]float64
	scale       [3]float64
	word        [2]int64
	wanted, at  uint64
}

// drawInputs draws numbers of all sizes, counts of 1 at least, masks of all lanes or few, and a span of so many groups.
// No sum passes the bound of its scale.
func drawInputs(random *rand.Rand, groups int) *inputs {
	const nodes = 20
	scale := exact.For(0x1p58, 1+random.Int64N(1000))
	in := &inputs{scale: [3]float64{scale.Unit, scale.Fine, float64(1 + random.IntN(9))},
		at: uint64(group * random.IntN(MaxLanes/group+1-groups))}
	for i := range in.masses {
		in.masses[i] = float64(1 + random.IntN(9))
	}
	for v := range nodes {
		mask := random.Uint64()
		for range random.IntN(3) {
			mask &= random.Uint64()
		}
		in.masks = append(in.masks, mask|-uint64(random.IntN(2)&v))
		least := -100
		if v == nodes-1 {
			least = 0
		}
		for range MaxLanes {
			in.rows = append(in.rows, math.Ldexp(1+random.Float64(), least+random.IntN(10-least)))
		}
	}
	for range random.IntN(nodes) {
		in.targets = append(in.targets, random.Int32N(nodes-1))
	}
	in.targets = append(in.targets, 0)
	in.wanted = in.masks[nodes-1] & (1<<(groups*group) - 1) << in.at
	return in
}

// run has a kernel count, pass, or share and take a term of what it shares.
func (in *inputs) run(k kernel, what int) (found, rest bool) {
	own, at := &in.rows[len(in.rows)-MaxLanes+int(in.at)], int(in.at)
	switch what {
	case 0:
		return k.count(&in.targets[0], len(in.targets), &in.masks[0], in.wanted, &in.rows[at], 9, in.at, own,
			&in.most[at]) != 0, false
	case 1:
		one := 1.0
		k.pass(&in.targets[0], len(in.targets), &in.masks[0], in.wanted, &in.rows[at], 9, in.at, own, &in.delta[at], &one)
		return false, false
	}
	more := k.share(&in.targets[0], len(in.targets), &in.masks[0], in.wanted, &in.rows[at], 9, in.at, own, &in.delta[at],
		&in.masses[at], &in.scale[0], &in.word[0])
	return false, more|k.term(in.wanted>>in.at, own, &in.rows[at], &in.scale[0], &in.word[0]) != 0
}

// TestKernels compares all kernels with plain Go, bit by bit, in the lanes that are wanted. The others' deltas have no
// meaning.
func TestKernels(t *testing.T) {
	for i := range 4000 {
		size, what := i%4, i/4%3
		draw := func() *inputs { return drawInputs(rand.New(rand.NewPCG(uint64(i), 27)), 1<<size) }
		want := draw()
		wantFound, wantRest := want.run(plainKernel(1<<size), what)
		for j, k := range allKernels() {
			got := draw()
			found, rest := got.run(k[size], what)
			for lane := range got.delta {
				if got.wanted>>lane&1 == 0 {
					got.delta[lane] = want.delta[lane]
				}
			}
			if found != wantFound || rest != wantRest || !slices.Equal(got.rows, want.rows) || got.most != want.most ||
				got.delta != want.delta || got.word != want.word {
				t.Fatalf("inputs %d, kernels %d: other bits than plain Go", i, j)
			}
		}
	}
}

// TestDistanceKernels compares all distance kernels with plain Go.
func TestDistanceKernels(t *testing.T) {
	const nodes = 12
	type results struct {
		rows            [nodes]distanceRow
		least           [2 * nodes]uint16
		masks           [2 * nodes]uint64
		reached, beyond uint64
		lowest, total   int
	}
	try := func(seed uint64, k distanceKernel) (r results) {
		random := rand.New(rand.NewPCG(seed, 39))
		for v := range r.rows {
			for i := range r.rows[v] {
				r.rows[v][i] = int16(min(unreached, random.IntN(1<<(1+random.IntN(16)))))
			}
		}
		targets, lengths := make([]int32, random.IntN(2*nodes+1)), make([]uint16, 2*nodes)
		for i := range targets {
			targets[i], lengths[i] = random.Int32N(nodes), uint16(random.IntN(1<<(1+random.IntN(12))))
		}
		k.same(unsafe.SliceData(targets), &lengths[0], len(targets), -random.IntN(2), &r.rows[0][0], &r.rows[0][0],
			&r.masks[0])
		k.relax(unsafe.SliceData(targets), &lengths[0], len(targets), &r.rows[0][0], &r.rows[1][0], &r.least[0])
		for i, x := range r.least {
			r.least[i] = min(x, unreached+1)
		}
		r.reached, r.beyond, r.lowest, r.total = k.look(&r.rows[2][0], random.IntN(unreached))
		return r
	}
	for seed := range uint64(3000) {
		want := try(seed, distanceKernel{plainRelax, plainSame, plainLook})
		for j, k := range allDistanceKernels() {
			if got := try(seed, k); got != want {
				t.Fatalf("seed %d, kernels %d: other results than plain Go", seed, j)
			}
		}
	}
}
