// Command asm writes the kernels of kernels/lanes for processors with AVX-512. Run it with go generate ./kernels/lanes.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	for _, groups := range []int{1, 2, 4, 8} {
		count(groups)
		share(groups)
		term(groups)
	}
	Generate()
}

// begin starts a kernel for so many groups of 8 lanes.
func begin(name string, groups int, signature string) {
	TEXT(fmt.Sprintf("%s%d", name, groups), NOSPLIT, "func("+signature+")")
	Doc(fmt.Sprintf("%s%d is %s of a kernel for %d groups.", name, groups, name, groups))
	Pragma("noescape")
}

// argument loads an argument.
func argument(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// zeros returns vectors of zeros.
func zeros(count int) (out []reg.VecVirtual) {
	for range count {
		z := ZMM()
		VPXORQ(z, z, z)
		out = append(out, z)
	}
	return out
}

// gathering adds up the rows of neighbours.
type gathering struct {
	wanted, at, found reg.GPVirtual
	sums              []reg.VecVirtual
}

// gather loops over the arcs of a node. It adds the rows of all targets whose mask has a lane that is wanted.
func gather(groups int) *gathering {
	targets, length, masks := argument("targets"), argument("length"), argument("masks")
	rows, stride := argument("rows"), argument("stride")
	r := &gathering{wanted: argument("wanted"), at: argument("at"), found: GP64(), sums: zeros(groups)}
	XORQ(r.found, r.found)
	Label("arc")
	TESTQ(length, length)
	JZ(LabelRef("done"))
	target, mask, both := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: targets}, target)
	MOVQ(Mem{Base: masks, Index: target, Scale: 8}, mask)
	MOVQ(mask, both)
	ANDQ(r.wanted, both)
	JZ(LabelRef("next"))
	ORQ(both, r.found)
	SHLXQ(stride, target, target)
	SHRXQ(r.at, mask, mask)
	eachGroup(mask, r.sums, func(j int, k reg.Register, sum reg.VecVirtual) {
		VADDPD(Mem{Base: rows, Index: target, Scale: 1, Disp: 64 * j}, sum, k, sum)
	})
	Label("next")
	ADDQ(U8(4), targets)
	DECQ(length)
	JMP(LabelRef("arc"))
	Label("done")
	return r
}

// eachGroup emits code for each group of lanes, with the mask of the group. It uses up the mask.
func eachGroup(mask reg.GPVirtual, vectors []reg.VecVirtual, emit func(j int, k reg.Register, vector reg.VecVirtual)) {
	for j, vector := range vectors {
		k := K()
		KMOVB(mask.As32(), k)
		emit(j, k, vector)
		if j+1 < len(vectors) {
			SHRQ(U8(8), mask)
		}
	}
}

// count sums path counts.
func count(groups int) {
	begin("count", groups, "targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64, "+
		"own, most *float64) (found uint64")
	r := gather(groups)
	own, most := argument("own"), argument("most")
	Store(r.found, ReturnIndex(0))
	SHRXQ(r.at, r.found, r.found)
	eachGroup(r.found, r.sums, func(j int, k reg.Register, sum reg.VecVirtual) {
		greatest := Mem{Base: most, Disp: 64 * j}
		VMOVUPD(sum, k, Mem{Base: own, Disp: 64 * j})
		VMAXPD_Z(greatest, sum, k, sum)
		VMAXPD(greatest, sum, sum)
		VMOVUPD(sum, greatest)
	})
	VZEROUPPER()
	RET()
}

// share turns path counts into shares.
func share(groups int) {
	begin("share", groups, "targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64, "+
		"own, delta, scale *float64, word *int64) (rest uint64")
	r := gather(groups)
	own, delta := argument("own"), argument("delta")
	x := newExact()
	one := ZMM()
	VBROADCASTSD(Mem{Base: x.scale, Disp: 16}, one)
	SHRXQ(r.at, r.wanted, r.wanted)
	eachGroup(r.wanted, r.sums, func(j int, k reg.Register, sum reg.VecVirtual) {
		count, part := ZMM(), ZMM()
		VMOVUPD_Z(Mem{Base: own, Disp: 64 * j}, k, count)
		VMULPD_Z(count, sum, k, sum)
		VMOVUPD(sum, Mem{Base: delta, Disp: 64 * j})
		VADDPD(one, sum, part)
		VDIVPD(count, part, part)
		VMOVUPD(part, k, Mem{Base: own, Disp: 64 * j})
		x.add(sum)
	})
	x.end()
}

// term adds up the dependencies on an edge along one arc.
func term(groups int) {
	begin("term", groups, "mask uint64, own, row, scale *float64, word *int64) (rest uint64")
	mask, own, row := argument("mask"), argument("own"), argument("row")
	x := newExact()
	eachGroup(mask, make([]reg.VecVirtual, groups), func(j int, k reg.Register, _ reg.VecVirtual) {
		product := ZMM()
		VMOVUPD_Z(Mem{Base: own, Disp: 64 * j}, k, product)
		VMULPD_Z(Mem{Base: row, Disp: 64 * j}, product, k, product)
		x.add(product)
	})
	x.end()
}

// exact adds numbers to the first two digits of an exact sum, as exact.Scale.Of rounds them.
type exact struct {
	scale           reg.GPVirtual
	unit, fine      reg.VecVirtual
	high, low, rest reg.VecVirtual
}

func newExact() *exact {
	x := &exact{scale: argument("scale"), unit: ZMM(), fine: ZMM()}
	VBROADCASTSD(Mem{Base: x.scale}, x.unit)
	VBROADCASTSD(Mem{Base: x.scale, Disp: 8}, x.fine)
	z := zeros(3)
	x.high, x.low, x.rest = z[0], z[1], z[2]
	return x
}

// add adds the 8 numbers of a vector, which it uses up.
func (x *exact) add(v reg.VecVirtual) {
	whole, part := ZMM(), ZMM()
	for i, digit := range []reg.VecVirtual{x.high, x.low} {
		VMULPD([]reg.VecVirtual{x.unit, x.fine}[i], v, v)
		VCVTTPD2QQ(v, whole)
		VPADDQ(whole, digit, digit)
		VCVTQQ2PD(whole, part)
		VSUBPD(part, v, v)
	}
	VPORQ(v, x.rest, x.rest)
}

// end adds the digits to the sum, and returns whether some number has a third digit.
func (x *exact) end() {
	word := argument("word")
	for i, digit := range []reg.VecVirtual{x.high, x.low} {
		total := GP64()
		MOVQ(total8(digit), total)
		ADDQ(total, Mem{Base: word, Disp: 8 * i})
	}
	k, any := K(), GP64()
	VPTESTMQ(x.rest, x.rest, k)
	KMOVB(k, any.As32())
	Store(any, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// total8 adds up the 8 integers of a vector.
func total8(z reg.VecVirtual) reg.Register {
	y, x, upper := YMM(), XMM(), XMM()
	VEXTRACTI64X4(U8(1), z, y)
	VPADDQ(y, z.AsY(), y)
	VEXTRACTI128(U8(1), y, x)
	VPADDQ(x, y.AsX(), x)
	VPSHUFD(U8(0xEE), x, upper)
	VPADDQ(upper, x, x)
	return x
}
