package device

// mostRounding is how far, relatively, exact sums of a job may be from what they add up.
const mostRounding = 1e-8

// Resolves returns an error where weights differ so much that sums of distances, or of their inverses, do not tell the
// least of them.
func (j *Job) Resolves() error {
	if j.Partial == nil || j.Partial.Rounding() <= mostRounding {
		return nil
	}
	return &Unsuited{"weights differ by too many powers of ten for sums in fixed point"}
}
