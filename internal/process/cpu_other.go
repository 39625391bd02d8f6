//go:build !unix

package process

import "time"

var started = time.Now()

// CPUTime returns the time since this process started: what it used of the processors is not known here.
func CPUTime() time.Duration { return time.Since(started) }
