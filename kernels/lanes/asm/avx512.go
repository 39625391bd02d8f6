package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

// avx512 is AVX-512 F and DQ: a vector has a group, and a mask register its lanes.
type avx512 struct{}

func (avx512) name() string           { return "AVX512" }
func (avx512) lanes() int             { return groupLanes }
func (avx512) vector() reg.VecVirtual { return ZMM() }

func (avx512) zero() reg.VecVirtual {
	z := ZMM()
	VPXORQ(z, z, z)
	return z
}

func (avx512) each(mask reg.GPVirtual, vectors int, emit func(j int, lanes reg.Register)) {
	for j := range vectors {
		k := K()
		KMOVB(mask.As32(), k)
		emit(j, k)
		if j+1 < vectors {
			SHRQ(U8(groupLanes), mask)
		}
	}
}

func (avx512) load(from Mem, lanes reg.Register, to reg.VecVirtual) { VMOVUPD_Z(from, lanes, to) }
func (avx512) add(row Mem, lanes reg.Register, sum reg.VecVirtual)  { VADDPD(row, sum, lanes, sum) }
func (avx512) store(v reg.VecVirtual, lanes reg.Register, to Mem)   { VMOVUPD(v, lanes, to) }
func (avx512) multiply(by Mem, v reg.VecVirtual)                    { VMULPD_BCST(by, v, v) }

func (avx512) digit(v, digit reg.VecVirtual) {
	whole, part := ZMM(), ZMM()
	VCVTTPD2QQ(v, whole)
	VPADDQ(whole, digit, digit)
	VCVTQQ2PD(whole, part)
	VSUBPD(part, v, v)
}

func (avx512) total(z reg.VecVirtual) reg.Register {
	y := YMM()
	VEXTRACTI64X4(U8(1), z, y)
	VPADDQ(y, z.AsY(), y)
	return totalOf4(y)
}

func (avx512) join(v, into reg.VecVirtual) { VPORQ(v, into, into) }

func (avx512) some(v reg.VecVirtual) reg.GPVirtual {
	k, some := K(), GP64()
	VPTESTMQ(v, v, k)
	KMOVB(k, some.As32())
	return some
}
