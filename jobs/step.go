package jobs

import (
	"fmt"
	"strings"
)

// Step is a part of a run.
type Step string

// The steps, in order. Each but plan and check leaves something on disk that the next can start from.
const (
	Export  Step = "export"
	Plan    Step = "plan"
	Compute Step = "compute"
	Check   Step = "check"
	Write   Step = "write"
)

// ParseFrom returns the step to resume from; "" is Export.
func ParseFrom(name string) (Step, error) {
	switch s := Step(name); s {
	case "":
		return Export, nil
	case Export, Compute, Write:
		return s, nil
	}
	return "", fmt.Errorf("--from %s: a run can start from %s", name, strings.Join([]string{"export", "compute", "write"}, ", "))
}
