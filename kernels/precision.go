package kernels

import "cmp"

// The precisions of the arithmetic on a device. The CPU has Double alone.
const (
	Double = "double"
	// Single allows float32 where the result is right to 1e-5.
	Single = "single"
)

// SingleLevels is up to how many levels of a search Single is right to 1e-5: errors grow with the levels.
const SingleLevels = 1000

// DefaultPrecision is what is computed in where nothing else is asked for.
const DefaultPrecision = Double

// Precisions lists the precisions.
func Precisions() []string { return []string{Double, Single} }

// IsSingle reports whether a precision, "" for the default, allows float32.
func IsSingle(precision string) bool { return cmp.Or(precision, DefaultPrecision) == Single }
