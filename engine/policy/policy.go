// Package policy says which devices a computation may use, and shares them out among computations.
package policy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Policy says which devices a computation may use: Auto, GPU, CPU, "gpu:1" for one device by its index among the
// visible ones, "gpu:0,2" for several that share it, or "gpu:all". "auto:0,2" and "auto:all" are Auto with these
// devices. "" is Auto.
type Policy string

// Auto takes what is ranked first, and falls back from a device to the CPU; GPU, and devices by their index, fail where
// there is none; CPU never asks.
const (
	Auto Policy = "auto"
	GPU  Policy = "gpu"
	CPU  Policy = "cpu"
)

// AllDevices is the word for all devices of a machine.
const AllDevices = "all"

// Words are the words that say a policy, the default first.
func Words() []string {
	return []string{string(Auto), string(CPU), string(GPU), "gpu:0", "gpu:0,1", string(everyDevice)}
}

// everyDevice is the policy for all devices.
const everyDevice = GPU + ":" + AllDevices

// MostDevices is more devices than one machine has.
const MostDevices = 1000

// Parse reads a policy.
func Parse(text string) (Policy, error) {
	if _, _, err := Policy(text).parse(); err != nil {
		return "",
			fmt.Errorf("device %q: %w; a device is auto, cpu, gpu, GPUs by their numbers, such as gpu:0 or gpu:0,2, or gpu:all",
				text, err)
	}
	return Policy(text), nil
}

// On is the policy with these devices: AllDevices, or their indices separated by commas. "" leaves it as it is.
func (p Policy) On(devices string) (Policy, error) {
	if devices == "" {
		return p, nil
	}
	switch p {
	case CPU:
		return "", fmt.Errorf("devices %s are GPUs, and the CPU was asked for", devices)
	case "":
		p = Auto
	case Auto, GPU:
	default:
		return "", fmt.Errorf("%s names its devices already", p)
	}
	return Parse(string(p) + ":" + devices)
}

// parse returns the devices that the policy names, in their order; none where it names none, or all.
func (p Policy) parse() (named []int, all bool, err error) {
	word, list, listed := strings.Cut(string(p), ":")
	switch base := Policy(word); {
	case base != Auto && base != GPU && base != CPU && p != "":
		return nil, false, fmt.Errorf("%q is none", word)
	case !listed:
		return nil, false, nil
	case base == CPU:
		return nil, false, errors.New("the CPU has no number")
	case list == AllDevices:
		return nil, true, nil
	}
	for number := range strings.SplitSeq(list, ",") {
		index, err := strconv.Atoi(number)
		if err != nil || index < 0 || index >= MostDevices || strconv.Itoa(index) != number {
			return nil, false, fmt.Errorf("%q is no number of a GPU", number)
		}
		if slices.Contains(named, index) {
			return nil, false, fmt.Errorf("GPU %d is named twice", index)
		}
		named = append(named, index)
	}
	return named, false, nil
}

// Demands says that the policy is for a device alone: without one, the computation fails.
func (p Policy) Demands() bool {
	word, _, _ := strings.Cut(string(p), ":")
	return Policy(word) == GPU
}

// Devices returns the devices that share a computation, of so many: those that are named, all, or nil for any one.
func (p Policy) Devices(count int) []int {
	named, all, _ := p.parse()
	for i := 0; all && i < max(count, 1); i++ {
		named = append(named, i)
	}
	return named
}

// All reports whether the policy is for all devices, however many there are.
func (p Policy) All() bool {
	_, all, _ := p.parse()
	return all
}

// Places is how many devices a computation takes, of so many.
func (p Policy) Places(count int) int {
	if p == CPU {
		return 0
	}
	return max(1, len(p.Devices(count)))
}
