package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Devices are GPUs that share a run: "all", or their numbers separated by commas; "" for one GPU, whichever is free.
type Devices string

// allDevices stands for every GPU of the machine.
const allDevices = "all"

// mostDevices is more than a machine has.
const mostDevices = 1000

// devices reads the word all, or a list of numbers.
func (d *decoder) devices(n ast.Node, v reflect.Value, path string) {
	const hint = "write all, or a list such as [0, 2]"
	if text, ok := textOf(n); ok && text == allDevices {
		v.SetString(text)
		return
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(path, "expected all or a list of numbers, found "+found(n), hint)
		return
	}
	var numbers []string
	for i, element := range list.Values {
		number, ok := integerOf(element)
		text, key := strconv.FormatInt(number, 10), fmt.Sprintf("%s[%d]", path, i)
		d.at[key] = placeOfNode(element)
		switch {
		case !ok || number < 0 || number >= mostDevices:
			d.fail(key, "expected the number of a GPU, found "+found(element), "linchpin devices lists them, from 0")
			d.failed[path] = true
		case slices.Contains(numbers, text):
			d.fail(key, fmt.Sprintf("GPU %d stands twice", number), "keep one of them")
			d.failed[path] = true
		}
		numbers = append(numbers, text)
	}
	if len(numbers) == 0 {
		d.fail(path, "the list is empty", hint)
	}
	v.SetString(strings.Join(numbers, ","))
}

// checkDevices finds devices that are named twice, or for a run that takes none.
func (d *decoder) checkDevices(c *Compute, path string) {
	if d.failed[path+".devices"] || d.failed[path+".device"] {
		return
	}
	if number, twice := repeated(c.Device); twice {
		d.mistake(path+".device", fmt.Sprintf("GPU %s stands twice", number), "keep one of them")
	}
	switch {
	case c.Devices == "" || c.Device == "auto" || c.Device == "gpu":
	case c.Device == "cpu":
		d.mistake(path+".devices", "has no effect: devices are GPUs", "remove it, or remove device: cpu")
	default:
		d.mistake(path+".devices", fmt.Sprintf("device: %s names its GPUs already", c.Device), "write device: gpu")
	}
}

// repeated finds a number that stands twice in a device such as gpu:0,0.
func repeated(device string) (number string, twice bool) {
	_, list, _ := strings.Cut(device, ":")
	var seen []string
	for number := range strings.SplitSeq(list, ",") {
		if number != "" && slices.Contains(seen, number) {
			return number, true
		}
		seen = append(seen, number)
	}
	return "", false
}
