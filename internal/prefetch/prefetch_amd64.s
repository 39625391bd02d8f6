#include "textflag.h"

// Each goes through the nodes once. A prefetch may be given any address.

// func askOffsets(offsets *int64, nodes *int32, count int)
TEXT ·askOffsets(SB), NOSPLIT, $0-24
	MOVQ offsets+0(FP), AX
	MOVQ nodes+8(FP), BX
	MOVQ count+16(FP), CX

node:
	MOVLQSX    (BX), DX
	PREFETCHT0 (AX)(DX*8)
	ADDQ       $4, BX
	DECQ       CX
	JNZ        node
	RET

// func askSums(offsets *int64, a, b, c *float64, nodes *int32, count int)
TEXT ·askSums(SB), NOSPLIT, $0-48
	MOVQ offsets+0(FP), AX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), R8
	MOVQ nodes+32(FP), BX
	MOVQ count+40(FP), CX

node:
	MOVLQSX    (BX), DX
	PREFETCHT0 (AX)(DX*8)
	PREFETCHT0 (SI)(DX*8)
	PREFETCHT0 (DI)(DX*8)
	PREFETCHT0 (R8)(DX*8)
	ADDQ       $4, BX
	DECQ       CX
	JNZ        node
	RET

// func askRows(offsets *int64, targets, nodes *int32, count, lines int)
TEXT ·askRows(SB), NOSPLIT, $0-40
	MOVQ offsets+0(FP), AX
	MOVQ targets+8(FP), DI
	MOVQ nodes+16(FP), BX
	MOVQ count+24(FP), CX
	MOVQ lines+32(FP), R9

node:
	MOVLQSX (BX), DX
	MOVQ    (AX)(DX*8), SI
	LEAQ    (DI)(SI*4), SI
	MOVQ    R9, R8

line:
	PREFETCHT0 (SI)
	ADDQ       $64, SI
	DECQ       R8
	JNZ        line
	ADDQ       $4, BX
	DECQ       CX
	JNZ        node
	RET

// func askTargets(offsets *int64, targets *int32, numbers *float64, levels, nodes *int32, count, most int)
TEXT ·askTargets(SB), NOSPLIT, $0-56
	MOVQ offsets+0(FP), AX
	MOVQ targets+8(FP), DI
	MOVQ numbers+16(FP), R11
	MOVQ levels+24(FP), R10
	MOVQ nodes+32(FP), BX
	MOVQ count+40(FP), CX
	MOVQ most+48(FP), R12

node:
	MOVLQSX (BX), DX
	MOVQ    (AX)(DX*8), SI
	MOVQ    8(AX)(DX*8), R8
	LEAQ    (SI)(R12*1), R13
	CMPQ    R8, R13
	CMOVQGT R13, R8
	JMP     more

arc:
	MOVLQSX    (DI)(SI*4), R9
	PREFETCHT0 (R11)(R9*8)
	PREFETCHT0 (R10)(R9*4)
	INCQ       SI

more:
	CMPQ SI, R8
	JLT  arc
	ADDQ $4, BX
	DECQ CX
	JNZ  node
	RET
