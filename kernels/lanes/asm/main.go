// Command asm writes the kernels of kernels/lanes for processors with AVX-512 or AVX2. Run it with
// go generate ./kernels/lanes.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	kernels(avx512{}, 1, 2, 4, 8)
	kernels(newAVX2(), 1, 2, 4) // 16 registers cannot hold the sums of 8 groups
	distances()
	Generate()
}

// instructions are those of a family of processors. A vector has lanes of one group.
type instructions interface {
	name() string
	// lanes is how many lanes a vector has.
	lanes() int
	vector() reg.VecVirtual
	zero() reg.VecVirtual
	// each emits code for each of so many vectors, which has the lanes of the vector in a mask. It uses up the mask.
	each(mask reg.GPVirtual, vectors int, emit func(j int, lanes reg.Register))
	// load reads lanes, and sets the others to 0. add adds lanes of a row to a sum.
	load(from Mem, lanes reg.Register, to reg.VecVirtual)
	add(row Mem, lanes reg.Register, sum reg.VecVirtual)
	// store writes lanes, and leaves the others as they are.
	store(v reg.VecVirtual, lanes reg.Register, to Mem)
	// multiply multiplies all lanes by one number in memory.
	multiply(by Mem, v reg.VecVirtual)
	// digit moves the whole part of each number from v to the integers of a digit.
	digit(v, digit reg.VecVirtual)
	// total adds up the integers of a vector.
	total(v reg.VecVirtual) reg.Register
	// join adds the bits of v to those of a vector. some is not 0 where a vector has bits.
	join(v, into reg.VecVirtual)
	some(v reg.VecVirtual) reg.GPVirtual
}

// kernels writes the kernels for some numbers of groups.
func kernels(in instructions, groups ...int) {
	for _, count := range groups {
		k := kernel{in, count, count * groupLanes / in.lanes()}
		k.count()
		k.share()
		k.pass()
		k.term()
	}
}

// groupLanes is the number of lanes of a group.
const groupLanes = 8

// kernel is for a number of groups of lanes.
type kernel struct {
	in              instructions
	groups, vectors int
}

// begin starts a function.
func (k kernel) begin(name, signature string) {
	function := fmt.Sprintf("%s%d%s", name, k.groups, k.in.name())
	TEXT(function, NOSPLIT, "func("+signature+")")
	Doc(fmt.Sprintf("%s is %s of a kernel for %d groups.", function, name, k.groups))
	Pragma("noescape")
}

// at is the memory of vector j.
func (k kernel) at(base reg.Register, j int) Mem { return Mem{Base: base, Disp: 8 * k.in.lanes() * j} }

// argument loads an argument.
func argument(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// zeros returns vectors of zeros.
func (k kernel) zeros(count int) (out []reg.VecVirtual) {
	for range count {
		out = append(out, k.in.zero())
	}
	return out
}

// gathering adds up the rows of neighbours.
type gathering struct {
	wanted, at, found reg.GPVirtual
	sums              []reg.VecVirtual
}

// gather loops over the arcs of a node. It adds the rows of all targets in those of their lanes that are wanted.
func (k kernel) gather() *gathering {
	targets, length, masks := argument("targets"), argument("length"), argument("masks")
	rows, stride := argument("rows"), argument("stride")
	r := &gathering{wanted: argument("wanted"), at: argument("at"), found: GP64(), sums: k.zeros(k.vectors)}
	XORQ(r.found, r.found)
	Label("arc")
	TESTQ(length, length)
	JZ(LabelRef("done"))
	target, mask := GP64(), GP64()
	MOVLQSX(Mem{Base: targets}, target)
	MOVQ(Mem{Base: masks, Index: target, Scale: 8}, mask)
	ANDQ(r.wanted, mask)
	JZ(LabelRef("next"))
	ORQ(mask, r.found)
	SHLXQ(stride, target, target)
	SHRXQ(r.at, mask, mask)
	ADDQ(rows, target)
	k.in.each(mask, k.vectors, func(j int, lanes reg.Register) { k.in.add(k.at(target, j), lanes, r.sums[j]) })
	Label("next")
	ADDQ(U8(4), targets)
	DECQ(length)
	JMP(LabelRef("arc"))
	Label("done")
	return r
}

// count sums path counts.
func (k kernel) count() {
	k.begin("count", "targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64, "+
		"own, most *float64) (found uint64")
	r := k.gather()
	own, most := argument("own"), argument("most")
	Store(r.found, ReturnIndex(0))
	SHRXQ(r.at, r.found, r.found)
	k.in.each(r.found, k.vectors, func(j int, lanes reg.Register) {
		sum := r.sums[j]
		k.in.store(sum, lanes, k.at(own, j))
		VMAXPD(k.at(most, j), sum, sum)
		VMOVUPD(sum, k.at(most, j))
	})
	VZEROUPPER()
	RET()
}

// share turns path counts into shares.
func (k kernel) share() {
	k.begin("share", "targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64, "+
		"own, delta, masses, scale *float64, word *int64) (rest uint64")
	r := k.gather()
	own, delta, masses := argument("own"), argument("delta"), argument("masses")
	x := k.exact()
	mass := k.in.vector()
	VBROADCASTSD(Mem{Base: x.scale, Disp: 16}, mass)
	SHRXQ(r.at, r.wanted, r.wanted)
	k.in.each(r.wanted, k.vectors, func(j int, lanes reg.Register) {
		count, part, sum := k.in.vector(), k.in.vector(), r.sums[j]
		k.in.load(k.at(own, j), lanes, count)
		VMULPD(count, sum, sum)
		VMOVUPD(sum, k.at(delta, j))
		VMULPD(k.at(masses, j), mass, part)
		VADDPD(sum, part, part)
		VDIVPD(count, part, part)
		k.in.store(part, lanes, k.at(own, j))
		x.add(sum)
	})
	x.end()
}

// pass turns path counts into numbers of onward paths.
func (k kernel) pass() {
	k.begin("pass", "targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64, "+
		"own, delta, one *float64")
	r := k.gather()
	own, delta := argument("own"), argument("delta")
	one := k.in.vector()
	VBROADCASTSD(Mem{Base: argument("one")}, one)
	SHRXQ(r.at, r.wanted, r.wanted)
	k.in.each(r.wanted, k.vectors, func(j int, lanes reg.Register) {
		product, sum := k.in.vector(), r.sums[j]
		k.in.load(k.at(own, j), lanes, product)
		VMULPD(product, sum, product)
		VMOVUPD(product, k.at(delta, j))
		VADDPD(one, sum, sum)
		k.in.store(sum, lanes, k.at(own, j))
	})
	VZEROUPPER()
	RET()
}

// term adds up the dependencies on an edge along one arc.
func (k kernel) term() {
	k.begin("term", "mask uint64, own, row, scale *float64, word *int64) (rest uint64")
	mask, own, row := argument("mask"), argument("own"), argument("row")
	x := k.exact()
	k.in.each(mask, k.vectors, func(j int, lanes reg.Register) {
		product, shares := k.in.vector(), k.in.vector()
		k.in.load(k.at(own, j), lanes, product)
		k.in.load(k.at(row, j), lanes, shares)
		VMULPD(shares, product, product)
		x.add(product)
	})
	x.end()
}

// exact adds numbers to the first two digits of an exact sum, as exact.Scale.Of rounds them.
type exact struct {
	in     instructions
	scale  reg.GPVirtual
	digits []reg.VecVirtual
	rest   reg.VecVirtual
}

func (k kernel) exact() *exact {
	return &exact{in: k.in, scale: argument("scale"), digits: k.zeros(2), rest: k.in.zero()}
}

// add adds the numbers of a vector, which it uses up.
func (x *exact) add(v reg.VecVirtual) {
	for i, digit := range x.digits {
		x.in.multiply(Mem{Base: x.scale, Disp: 8 * i}, v)
		x.in.digit(v, digit)
	}
	x.in.join(v, x.rest)
}

// end adds the digits to the sum, and returns whether some number has a third digit.
func (x *exact) end() {
	word := argument("word")
	for i, digit := range x.digits {
		total := GP64()
		MOVQ(x.in.total(digit), total)
		ADDQ(total, Mem{Base: word, Disp: 8 * i})
	}
	Store(x.in.some(x.rest), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// totalOf4 adds up the integers of a vector of 4.
func totalOf4(y reg.VecVirtual) reg.Register {
	x, upper := XMM(), XMM()
	VEXTRACTI128(U8(1), y, x)
	VPADDQ(x, y.AsX(), x)
	VPSHUFD(U8(0xEE), x, upper)
	VPADDQ(upper, x, x)
	return x
}
