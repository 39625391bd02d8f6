package device

// Beginner is a Prepared that can begin on a run without the device, on threads of its own, while the graph is uploaded.
type Beginner interface {
	// Begin begins on the job that is run next. The function that it returns waits until nothing reads the job's graph any more.
	Begin(j *Job) (wait func())
}
