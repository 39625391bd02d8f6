package pieces

// Arena hands out pieces of large slices. The zero value is ready to use.
type Arena[T any] struct{ free []T }

// NewArena returns an arena whose first n elements take one allocation.
func NewArena[T any](n int) Arena[T] { return Arena[T]{make([]T, n)} }

// ArenaOf returns an arena that hands out the elements of s, as they are.
func ArenaOf[T any](s []T) Arena[T] { return Arena[T]{s} }

// Take returns n zeros that nothing else uses.
func (a *Arena[T]) Take(n int) []T {
	if n > len(a.free) {
		a.free = make([]T, max(n, 1024))
	}
	out := a.free[:n:n]
	a.free = a.free[n:]
	return out
}

// Sized returns a slice of n elements of any value: s itself if it is large enough.
func Sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// Zeroed is Sized, with zeros.
func Zeroed[T any](s []T, n int) []T {
	s = Sized(s, n)
	clear(s)
	return s
}
