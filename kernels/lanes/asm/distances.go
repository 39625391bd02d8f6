package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive,staticcheck // avo is made for this form
	. "github.com/mmcloughlin/avo/operand" //nolint:revive,staticcheck // avo is made for this form
	"github.com/mmcloughlin/avo/reg"
)

// distances are kernels for rows of 64 distances of 16 bits, with AVX2.
func distances() {
	relax()
	equal()
	look()
}

const (
	rowVectors  = 4  // of 16 distances
	rowBits     = 7  // the logarithm of a row's bytes
	vectorBytes = 32 // bytes
)

// beginDistances starts a function.
func beginDistances(name, signature string) {
	TEXT(name+"AVX2", NOSPLIT, "func("+signature+")")
	Doc(name + "AVX2 is " + name + " of a distance kernel.")
	Pragma("noescape")
}

// loadRow loads the distances of a node.
func loadRow(row reg.Register) (v [rowVectors]reg.VecVirtual) {
	for j := range v {
		v[j] = YMM()
		VMOVDQU(Mem{Base: row, Disp: vectorBytes * j}, v[j])
	}
	return v
}

// spread sets all words of a vector to a number.
func spread(x reg.GPVirtual) reg.VecVirtual {
	low, all := XMM(), YMM()
	VMOVD(x.As32(), low)
	VPBROADCASTW(low, all)
	return all
}

// eachArc loops over arcs. row is that of an arc's target.
func eachArc(emit func(row reg.GPVirtual, lengths reg.Register)) {
	targets, lengths, count, rows := argument("targets"), argument("lengths"), argument("length"), argument("rows")
	Label("arc")
	TESTQ(count, count)
	JZ(LabelRef("done"))
	row := GP64()
	MOVLQSX(Mem{Base: targets}, row)
	SHLQ(U8(rowBits), row)
	ADDQ(rows, row)
	emit(row, lengths)
	ADDQ(U8(4), targets)
	ADDQ(U8(2), lengths)
	DECQ(count)
	JMP(LabelRef("arc"))
	Label("done")
}

// least returns the least word of a vector.
func least(y reg.VecVirtual) reg.GPVirtual {
	upper, out := XMM(), GP64()
	VEXTRACTI128(U8(1), y, upper)
	VPMINUW(upper, y.AsX(), upper)
	VPHMINPOSUW(upper, upper)
	VPEXTRW(U8(0), upper, out.As32())
	return out
}

// allOnes returns a vector of ones in all bits.
func allOnes() reg.VecVirtual {
	y := YMM()
	VPCMPEQW(y, y, y)
	return y
}

// bitsOf returns a bit for each word of a row that is all ones.
func bitsOf(words [rowVectors]reg.VecVirtual) reg.GPVirtual {
	var half [2]reg.GPVirtual
	for i := range half {
		bytes := YMM()
		VPACKSSWB(words[2*i+1], words[2*i], bytes)
		VPERMQ(U8(0xD8), bytes, bytes)
		half[i] = GP64()
		VPMOVMSKB(bytes, half[i].As32())
	}
	SHLQ(U8(32), half[1])
	ORQ(half[1], half[0])
	return half[0]
}

func relax() {
	beginDistances("relax", "targets *int32, lengths *uint16, length int, rows, own *int16, least *uint16")
	own, out := loadRow(argument("own")), argument("least")
	eachArc(func(row reg.GPVirtual, lengths reg.Register) {
		length, lowest := YMM(), allOnes()
		VPBROADCASTW(Mem{Base: lengths}, length)
		for j, from := range own {
			to, old, kept := YMM(), YMM(), YMM()
			at := Mem{Base: row, Disp: vectorBytes * j}
			VPADDSW(length, from, to)
			VMOVDQU(at, old)
			VPMINSW(to, old, kept)
			VMOVDQU(kept, at)
			VPCMPEQW(kept, old, kept)
			VPOR(kept, to, to)
			VPMINUW(to, lowest, lowest)
		}
		MOVW(least(lowest).As16(), Mem{Base: out})
		ADDQ(U8(2), out)
	})
	VZEROUPPER()
	RET()
}

func equal() {
	beginDistances("same", "targets *int32, lengths *uint16, length int, sign int, rows, own *int16, masks *uint64")
	own, sign, masks := loadRow(argument("own")), argument("sign"), argument("masks")
	eachArc(func(row reg.GPVirtual, lengths reg.Register) {
		length := GP64()
		MOVWQZX(Mem{Base: lengths}, length)
		XORQ(sign, length)
		SUBQ(sign, length)
		step := spread(length)
		var found [rowVectors]reg.VecVirtual
		for j, from := range own {
			found[j] = YMM()
			VPADDW(step, from, found[j])
			VPCMPEQW(Mem{Base: row, Disp: vectorBytes * j}, found[j], found[j])
		}
		MOVQ(bitsOf(found), Mem{Base: masks})
		ADDQ(U8(8), masks)
	})
	VZEROUPPER()
	RET()
}

func look() {
	beginDistances("look", "own *int16, limit int) (reached, beyond uint64, least, total int")
	own, limit := loadRow(argument("own")), spread(argument("limit"))
	unreached, one, sum, lowest := allOnes(), allOnes(), YMM(), allOnes()
	VPSRLW(U8(1), unreached, unreached)
	VPSRLW(U8(15), one, one)
	VPXOR(sum, sum, sum)
	var reached, beyond [rowVectors]reg.VecVirtual
	for j, row := range own {
		reached[j], beyond[j] = YMM(), YMM()
		VPCMPGTW(row, unreached, reached[j])
		VPMINUW(row, lowest, lowest)
		VPCMPGTW(limit, row, beyond[j])
		VPAND(reached[j], beyond[j], beyond[j])
		VPAND(reached[j], row, row)
		VPMADDWD(one, row, row)
		VPADDD(row, sum, sum)
	}
	Store(bitsOf(reached), ReturnIndex(0))
	Store(bitsOf(beyond), ReturnIndex(1))
	Store(least(lowest), ReturnIndex(2))
	x, upper, total := XMM(), XMM(), GP64()
	VEXTRACTI128(U8(1), sum, x)
	VPADDD(x, sum.AsX(), x)
	for _, from := range []uint8{0xEE, 0x55} {
		VPSHUFD(U8(from), x, upper)
		VPADDD(upper, x, x)
	}
	VMOVD(x, total.As32())
	Store(total, ReturnIndex(3))
	VZEROUPPER()
	RET()
}
