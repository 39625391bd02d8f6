// Command asm writes the vector kernels of kernels/lanes for processors with AVX-512: go generate ./kernels/lanes.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build" //nolint:revive // the form that avo is made for
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	for _, width := range []int{8, 16, 32, 64} {
		count(width)
		share(width)
	}
	Generate()
}

// row has the registers of a loop over the arcs of a node.
type row struct {
	groups               int
	targets, length      reg.GPVirtual
	masks, wanted, rows  reg.GPVirtual
	found                reg.GPVirtual
	sums                 []reg.VecVirtual
	lane                 []reg.OpmaskVirtual
}

// begin loads the arguments that all kernels share.
func begin(width int) *row {
	r := &row{groups: width / 8}
	r.targets = Load(Param("targets"), GP64()).(reg.GPVirtual)
	r.length = Load(Param("length"), GP64()).(reg.GPVirtual)
	r.masks = Load(Param("masks"), GP64()).(reg.GPVirtual)
	r.wanted = Load(Param("wanted"), GP64()).(reg.GPVirtual)
	r.rows = Load(Param("rows"), GP64()).(reg.GPVirtual)
	r.found = GP64()
	XORQ(r.found, r.found)
	for range r.groups {
		z := ZMM()
		VPXORQ(z, z, z)
		r.sums = append(r.sums, z)
	}
	return r
}

// add adds the rows of all targets, in the lanes of their masks, where these have a lane that is wanted.
func (r *row) add() {
	loop, next, done := r.label("arc"), r.label("next"), r.label("done")
	Label(loop)
	TESTQ(r.length, r.length)
	JZ(LabelRef(done))
	target, mask, both := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: r.targets}, target)
	MOVQ(Mem{Base: r.masks, Index: target, Scale: 8}, mask)
	MOVQ(mask, both)
	ANDQ(r.wanted, both)
	JZ(LabelRef(next))
	ORQ(both, r.found)
	shift := map[int]uint64{1: 6, 2: 7, 4: 8, 8: 9}[r.groups]
	SHLQ(U8(shift), target)
	for j, sum := range r.sums {
		k := K()
		KMOVB(mask.As32(), k)
		VADDPD(Mem{Base: r.rows, Index: target, Scale: 1, Disp: 64 * j}, sum, k, sum)
		if j+1 < r.groups {
			SHRQ(U8(8), mask)
		}
	}
	Label(next)
	ADDQ(U8(4), r.targets)
	DECQ(r.length)
	JMP(LabelRef(loop))
	Label(done)
}

func (r *row) label(name string) string { return name }

// count sums path counts.
func count(width int) {
	TEXT(fmt.Sprintf("count%d", width), NOSPLIT,
		"func(targets *int32, length int, masks *uint64, wanted uint64, rows, own, most *float64) (found uint64)")
	Doc(fmt.Sprintf("count%d is count of Rows in %d lanes.", width, width))
	Pragma("noescape")
	r := begin(width)
	own, most := Load(Param("own"), GP64()), Load(Param("most"), GP64())
	r.add()
	Store(r.found, ReturnIndex(0))
	for j, sum := range r.sums {
		k := K()
		KMOVB(r.found.As32(), k)
		VMOVUPD(sum, k, Mem{Base: own, Disp: 64 * j})
		VMAXPD_Z(Mem{Base: most, Disp: 64 * j}, sum, k, sum)
		VMAXPD(Mem{Base: most, Disp: 64 * j}, sum, sum)
		VMOVUPD(sum, Mem{Base: most, Disp: 64 * j})
		if j+1 < r.groups {
			SHRQ(U8(8), r.found)
		}
	}
	VZEROUPPER()
	RET()
}

// share turns path counts into shares.
func share(width int) {
	TEXT(fmt.Sprintf("share%d", width), NOSPLIT,
		"func(targets *int32, length int, masks *uint64, wanted uint64, rows, own *float64, scale *float64, delta *float64, word *int64) (rest uint64)")
	Doc(fmt.Sprintf("share%d is share of Rows in %d lanes.", width, width))
	Pragma("noescape")
	r := begin(width)
	own := Load(Param("own"), GP64())
	r.add()
	scale, delta := Load(Param("scale"), GP64()), Load(Param("delta"), GP64())
	unit, fine, one := ZMM(), ZMM(), ZMM()
	VBROADCASTSD(Mem{Base: scale}, unit)
	VBROADCASTSD(Mem{Base: scale, Disp: 8}, fine)
	VBROADCASTSD(Mem{Base: scale, Disp: 16}, one)
	high, low, rest := ZMM(), ZMM(), ZMM()
	for _, z := range []reg.VecVirtual{high, low, rest} {
		VPXORQ(z, z, z)
	}
	for j, sum := range r.sums {
		k := K()
		KMOVB(r.wanted.As32(), k)
		count, whole, part := ZMM(), ZMM(), ZMM()
		VMOVUPD_Z(Mem{Base: own, Disp: 64 * j}, k, count)
		VMULPD_Z(count, sum, k, sum)
		VMOVUPD(sum, Mem{Base: delta, Disp: 64 * j})
		VADDPD(one, sum, part)
		VDIVPD(count, part, part)
		VMOVUPD(part, k, Mem{Base: own, Disp: 64 * j})
		VMULPD(unit, sum, sum)
		VCVTTPD2QQ(sum, whole)
		VPADDQ(whole, high, high)
		VCVTQQ2PD(whole, part)
		VSUBPD(part, sum, sum)
		VMULPD(fine, sum, sum)
		VCVTTPD2QQ(sum, whole)
		VPADDQ(whole, low, low)
		VCVTQQ2PD(whole, part)
		VSUBPD(part, sum, sum)
		VPORQ(sum, rest, rest)
		if j+1 < r.groups {
			SHRQ(U8(8), r.wanted)
		}
	}
	word := Load(Param("word"), GP64())
	for i, z := range []reg.VecVirtual{high, low} {
		total, upper := reduce(z), GP64()
		MOVQ(total, upper)
		ADDQ(upper, Mem{Base: word, Disp: 8 * i})
	}
	k, any := K(), GP64()
	VPTESTMQ(rest, rest, k)
	KMOVB(k, any.As32())
	Store(any, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// reduce adds up the numbers of a register into its first.
func reduce(z reg.VecVirtual) reg.Register {
	y, x := YMM(), XMM()
	VEXTRACTI64X4(U8(1), z, y)
	VPADDQ(y, z.AsY(), y)
	VEXTRACTI128(U8(1), y, x)
	VPADDQ(x, y.AsX(), x)
	upper := XMM()
	VPSHUFD(U8(0xEE), x, upper)
	VPADDQ(upper, x, x)
	return x
}
