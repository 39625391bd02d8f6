// Command asm writes the steps of kernels/rank for processors with AVX-512. Run it with go generate ./kernels/rank.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

// widest is that of kernels/rank.
const widest = 64

func main() {
	sum("vectorSum", 4, func(row Mem, _ reg.GPVirtual, _ int, total reg.VecVirtual) { VADDPD(row, total, total) })
	sum("vectorWeightedSum", 2, func(row Mem, factors reg.GPVirtual, arc int, total reg.VecVirtual) {
		factor := ZMM()
		VBROADCASTSD(Mem{Base: factors, Disp: 8 * arc}, factor)
		VMULPD(row, factor, factor)
		VADDPD(factor, total, total)
	})
	advance()
	wholeSum("vectorWholeSum", 1)
	wholeSum("vectorWholeSums", 2)
	difference()
	Generate()
}

// argument loads an argument.
func argument(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// arcs is a loop over the arcs of a row.
type arcs struct {
	targets, length, factors, rows reg.GPVirtual
	add                            func(row Mem, factors reg.GPVirtual, arc int, total reg.VecVirtual)
}

// each emits code that adds as many arcs as there are totals, as long as there are so many.
func (a arcs) each(name string, totals []reg.VecVirtual) {
	Label(name)
	CMPQ(a.length, U8(len(totals)))
	JL(LabelRef(name + "Done"))
	for i, total := range totals {
		target := GP64()
		MOVLQSX(Mem{Base: a.targets, Disp: 4 * i}, target)
		SHLQ(U8(6), target)
		a.add(Mem{Base: a.rows, Index: target, Scale: 1}, a.factors, i, total)
	}
	ADDQ(U8(4*len(totals)), a.targets)
	ADDQ(U8(8*len(totals)), a.factors)
	SUBQ(U8(len(totals)), a.length)
	JMP(LabelRef(name))
	Label(name + "Done")
}

// sum adds up the rows of neighbours in so many totals, which are added up at the end.
func sum(name string, totals int, add func(row Mem, factors reg.GPVirtual, arc int, total reg.VecVirtual)) {
	TEXT(name, NOSPLIT, "func(targets *int32, length int, factors, rows, out *float64)")
	Doc(name + " adds up rows of 8 lanes.")
	Pragma("noescape")
	a := arcs{argument("targets"), argument("length"), argument("factors"), argument("rows"), add}
	out := argument("out")
	var z []reg.VecVirtual
	for range totals {
		total := ZMM()
		VPXORQ(total, total, total)
		z = append(z, total)
	}
	a.each("arcs", z)
	a.each("rest", z[:1])
	for i := 0; i < totals; i += 2 {
		VADDPD(z[i+1], z[i], z[i])
	}
	if totals == 4 {
		VADDPD(z[2], z[0], z[0])
	}
	VMOVUPD(z[0], Mem{Base: out})
	VZEROUPPER()
	RET()
}

// advance is a step of a row of 8 lanes.
func advance() {
	TEXT("vectorAdvance", NOSPLIT,
		"func(own, sums, scores, before, next, most *float64, share, weight, base float64, blend uint64)")
	Doc("vectorAdvance is a step of a row of 8 lanes.")
	Pragma("noescape")
	row := func(name string) Mem { return Mem{Base: argument(name)} }
	places := map[string]int{"share": 48, "weight": 56, "base": 64}
	spread := func(name string) reg.VecVirtual {
		z := ZMM()
		VBROADCASTSD(NewParamAddr(name, places[name]), z) // without instructions of SSE, which would wait for vectors of AVX
		return z
	}
	old, now, change, size := ZMM(), ZMM(), ZMM(), ZMM()
	scores, before, most := row("scores"), row("before"), row("most")
	VMOVUPD(scores, old)
	VMOVUPD(row("own"), now)
	VADDPD(row("sums"), now, now)
	VSUBPD(old, now, change)
	positive := ZMM()
	VPTERNLOGQ(U8(0xFF), positive, positive, positive)
	VPSRLQ(U8(1), positive, positive)
	VPANDQ(positive, change, change)
	VPANDQ(positive, old, size)
	VMAXPD(spread("base"), size, size)
	VDIVPD(size, change, change)
	VMAXPD(most, change, change)
	VMOVUPD(change, most)
	last, k := ZMM(), K()
	KMOVB(argument("blend").As32(), k)
	VMOVUPD_Z(before, k, last)
	VSUBPD(last, now, now)
	VMULPD(spread("weight"), now, now)
	VADDPD(last, now, now)
	VMOVUPD(old, before)
	VMOVUPD(now, scores)
	VMULPD(spread("share"), now, now)
	VMOVUPD(now, row("next"))
	VZEROUPPER()
	RET()
}

// wholeSum adds up rows of whole numbers of 16 bits that fill so many cache lines, four rows in 16 bits before the sums
// of 32 bits.
func wholeSum(name string, lines int) {
	TEXT(name, NOSPLIT, "func(targets *int32, length int, rows *int16, out *int32)")
	Doc(fmt.Sprintf("%s adds up rows of %d lanes.", name, 32*lines))
	Pragma("noescape")
	targets, length, rows, out := argument("targets"), argument("length"), argument("rows"), argument("out")
	var sums []reg.VecVirtual
	for range 2 * lines {
		sum := ZMM()
		VPXORQ(sum, sum, sum)
		sums = append(sums, sum)
	}
	for _, arcs := range []int{4, 1} {
		label := map[int]string{4: "arcs", 1: "rest"}[arcs]
		Label(label)
		CMPQ(length, U8(arcs))
		JL(LabelRef(label + "Done"))
		four := addRows(targets, rows, arcs, lines)
		for line, z := range four {
			half, part := YMM(), ZMM()
			VPMOVSXWD(z.AsY(), part)
			VPADDD(part, sums[2*line], sums[2*line])
			VEXTRACTI64X4(U8(1), z, half)
			VPMOVSXWD(half, part)
			VPADDD(part, sums[2*line+1], sums[2*line+1])
		}
		ADDQ(U8(4*arcs), targets)
		SUBQ(U8(arcs), length)
		JMP(LabelRef(label))
		Label(label + "Done")
	}
	for i, sum := range sums {
		VMOVDQU64(sum, Mem{Base: out, Disp: 64 * i})
	}
	VZEROUPPER()
	RET()
}

// addRows emits code that adds up the rows of the next arcs, line by line, in 16 bits.
func addRows(targets, rows reg.GPVirtual, arcs, lines int) (sums []reg.VecVirtual) {
	for range lines {
		sums = append(sums, ZMM())
	}
	for i := range arcs {
		target := GP64()
		MOVLQSX(Mem{Base: targets, Disp: 4 * i}, target)
		SHLQ(U8(5+lines), target)
		for line, sum := range sums {
			row := Mem{Base: rows, Index: target, Scale: 1, Disp: 64 * line}
			if i == 0 {
				VMOVDQU64(row, sum)
			} else {
				VPADDW(row, sum, sum)
			}
		}
	}
	return sums
}

// difference is differences.advance for groups of 8 lanes of a node.
func difference() {
	TEXT("vectorDifference", NOSPLIT,
		"func(sums *int32, sent, next *int16, scores, left, share, back, units, peaks *float64, groups int)")
	Doc("vectorDifference is an iteration of a node in groups of 8 lanes.")
	Pragma("noescape")
	sums, sent, next, scores, left := argument("sums"), argument("sent"), argument("next"), argument("scores"),
		argument("left")
	units, peaks, groups := argument("units"), argument("peaks"), argument("groups")
	spread := func(m Mem) reg.VecVirtual {
		z := ZMM()
		VBROADCASTSD(m, z)
		return z
	}
	share, back := spread(Mem{Base: argument("share")}), spread(Mem{Base: argument("back")})
	weight, more := spread(Mem{Base: units}), spread(Mem{Base: units, Disp: 8})
	base, limit := spread(Mem{Base: units, Disp: 16}), spread(Mem{Base: units, Disp: 24})
	positive, least := ZMM(), ZMM()
	VPTERNLOGQ(U8(0xFF), positive, positive, positive)
	VPSRLQ(U8(1), positive, positive)
	VPXORQ(least, least, least)
	VSUBPD(limit, least, least)
	Label("group")
	step, change, now, numbers := ZMM(), ZMM(), ZMM(), YMM()
	VMOVUPD(Mem{Base: units, Disp: 32}, step)
	VPMOVSXWD(Mem{Base: sent}, numbers)
	VCVTDQ2PD(numbers, change)
	VMULPD(step, change, change)
	VMULPD(back, change, change)
	VCVTDQ2PD(Mem{Base: sums}, now)
	VMULPD(step, now, now)
	rest, score, off, size, bound, k := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), K()
	VMOVUPD(Mem{Base: left}, rest)
	VSUBPD(change, rest, rest)
	VADDPD(now, rest, rest)
	VMOVUPD(rest, Mem{Base: left})
	VADDPD(Mem{Base: scores}, change, score)
	VMOVUPD(score, Mem{Base: scores})
	VPANDQ(positive, rest, off)
	VPANDQ(positive, score, size)
	VMAXPD(base, size, size)
	residuals := Mem{Base: peaks, Disp: 8 * widest}
	VMULPD(residuals, size, bound)
	VCMPPD(U8(30), bound, off, k) // off > bound
	KORTESTB(k, k)
	JZ(LabelRef("small"))
	VDIVPD(size, off, off)
	VMOVUPD(off, k, residuals)
	Label("small")
	VMULPD(weight, rest, rest)
	VMULPD(more, change, change)
	VADDPD(change, rest, rest)
	VMULPD(share, rest, rest)
	VPANDQ(positive, rest, off)
	VMAXPD(Mem{Base: peaks}, off, off)
	VMOVUPD(off, Mem{Base: peaks})
	VMULPD(Mem{Base: units, Disp: 32 + 8*widest}, rest, rest)
	VMINPD(limit, rest, rest)
	VMAXPD(least, rest, rest)
	VCVTPD2DQ(rest, numbers)
	VPMOVDW(numbers, Mem{Base: next})
	for _, at := range []reg.GPVirtual{scores, left, units, peaks} {
		ADDQ(U8(64), at)
	}
	ADDQ(U8(32), sums)
	ADDQ(U8(16), sent)
	ADDQ(U8(16), next)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}
