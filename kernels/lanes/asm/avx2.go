package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

// avx2 is AVX2: a vector has half a group, and the lanes are the sign bits of a vector.
type avx2 struct {
	signs     map[int]Mem // by how many vectors a mask has
	high, low Mem
}

const (
	half = 4
	// A number under 2^62 plus 3 * 2^83 has a last bit of 2^32, and one of 32 bits plus 3 * 2^51 one of 1.
	highBits = 0x4538000000000000
	lowBits  = 0x4338000000000000
)

func newAVX2() avx2 {
	in := avx2{signs: map[int]Mem{}, high: vector("high", same(highBits)), low: vector("low", same(lowBits))}
	for _, vectors := range []int{2, 4, 8} {
		var shifts [half]uint64
		for i := range shifts {
			shifts[i] = uint64(63 - i - half*(vectors-1))
		}
		in.signs[vectors] = vector("signs"+string(rune('0'+vectors)), shifts)
	}
	return in
}

// vector puts 4 words into memory.
func vector(name string, words [half]uint64) Mem {
	at := GLOBL(name, RODATA|NOPTR)
	for i, x := range words {
		DATA(8*i, U64(x))
	}
	return at
}

func same(x uint64) [half]uint64 { return [half]uint64{x, x, x, x} }

func (avx2) name() string           { return "AVX2" }
func (avx2) lanes() int             { return half }
func (avx2) vector() reg.VecVirtual { return YMM() }

func (avx2) zero() reg.VecVirtual {
	z := YMM()
	VPXOR(z, z, z)
	return z
}

// each shifts the lanes of the last vector to the sign bits, then those of the vector before it.
func (in avx2) each(mask reg.GPVirtual, vectors int, emit func(j int, lanes reg.Register)) {
	x, lanes := XMM(), YMM()
	VMOVQ(mask, x)
	VPBROADCASTQ(x, lanes)
	VPSLLVQ(in.signs[vectors], lanes, lanes)
	for j := vectors - 1; j >= 0; j-- {
		emit(j, lanes)
		if j > 0 {
			VPSLLQ(U8(half), lanes, lanes)
		}
	}
}

func (avx2) load(from Mem, lanes reg.Register, to reg.VecVirtual) { VMASKMOVPD(from, lanes, to) }

func (in avx2) add(row Mem, lanes reg.Register, sum reg.VecVirtual) {
	v := YMM()
	in.load(row, lanes, v)
	VADDPD(v, sum, sum)
}

// store is a load, a blend and a store, because VMASKMOVPD is slow as a store on some processors.
func (avx2) store(v reg.VecVirtual, lanes reg.Register, to Mem) {
	old := YMM()
	VMOVUPD(to, old)
	VBLENDVPD(lanes, v, old, old)
	VMOVUPD(old, to)
}

func (avx2) multiply(by Mem, v reg.VecVirtual) {
	factor := YMM()
	VBROADCASTSD(by, factor)
	VMULPD(factor, v, v)
}

// digit does without a conversion, which AVX2 lacks: it adds the high bits of the whole part, then the low ones.
func (in avx2) digit(v, digit reg.VecVirtual) {
	whole, high, shifted := YMM(), YMM(), YMM()
	const truncate = 3
	VROUNDPD(U8(truncate), v, whole)
	VSUBPD(whole, v, v)
	VADDPD(in.high, whole, high)
	VPSLLQ(U8(32), high, shifted)
	VPADDQ(shifted, digit, digit)
	VSUBPD(in.high, high, high)
	VSUBPD(high, whole, whole)
	VADDPD(in.low, whole, whole)
	VPSUBQ(in.low, whole, whole)
	VPADDQ(whole, digit, digit)
}

func (avx2) total(y reg.VecVirtual) reg.Register { return totalOf4(y) }
func (avx2) join(v, into reg.VecVirtual)         { VPOR(v, into, into) }

func (avx2) some(v reg.VecVirtual) reg.GPVirtual {
	some := GP64()
	XORQ(some, some)
	VPTEST(v, v)
	SETNE(some.As8())
	return some
}
