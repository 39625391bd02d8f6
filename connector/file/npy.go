package file

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyMagic begins every array of NumPy; the version of the format follows it.
const npyMagic = "\x93NUMPY"

// npyLine is the longest header that is read. NumPy's own are 118 bytes long.
const npyLine = 1 << 16

// npyHeader matches the header of an array with one column: NumPy writes a Python dictionary, its keys in this order.
var npyHeader = regexp.MustCompile(
	`^\{'descr': '([<>|=])([a-zA-Z])(\d+)', 'fortran_order': (?:True|False), 'shape': \((.*)\),? *\} *\n$`,
)

// npyArray is an array of NumPy, read value by value.
type npyArray struct {
	name  string
	r     *bufio.Reader
	order binary.ByteOrder
	kind  byte // i, u, f, b or S, as NumPy names them
	width int  // of a value, in bytes
	shape []int64
	buf   [8]byte
}

// openNPY reads the header of an array.
func openNPY(name string, r io.Reader) (*npyArray, error) {
	a := &npyArray{name: name, r: bufio.NewReaderSize(r, 1<<16)}
	head := make([]byte, len(npyMagic)+2)
	if _, err := io.ReadFull(a.r, head); err != nil || string(head[:len(npyMagic)]) != npyMagic {
		return nil, fmt.Errorf("%s is not an array of NumPy", name)
	}
	size := make([]byte, 2)
	if head[len(npyMagic)] > 1 {
		size = make([]byte, 4)
	}
	if _, err := io.ReadFull(a.r, size); err != nil {
		return nil, fmt.Errorf("%s breaks off in its header", name)
	}
	length := int64(binary.LittleEndian.Uint32(append(size, 0, 0)[:4]))
	if length > npyLine {
		return nil, fmt.Errorf("%s has a header of %d bytes", name, length)
	}
	line := make([]byte, length)
	if _, err := io.ReadFull(a.r, line); err != nil {
		return nil, fmt.Errorf("%s breaks off in its header", name)
	}
	return a, a.parse(string(line))
}

// parse reads the dictionary of the header.
func (a *npyArray) parse(line string) error {
	m := npyHeader.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("%s has a type that linchpin does not read: %s", a.name, strings.TrimSpace(line))
	}
	a.order = binary.LittleEndian
	if m[1] == ">" {
		a.order = binary.BigEndian
	}
	a.kind = m[2][0]
	a.width, _ = strconv.Atoi(m[3]) // digits, and checked by number
	for _, text := range strings.Split(m[4], ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		length, ok := parseDigits([]byte(text))
		if !ok {
			return fmt.Errorf("%s has a shape that linchpin does not read: (%s)", a.name, m[4])
		}
		a.shape = append(a.shape, length)
	}
	return nil
}

// isInteger reports whether the values are integers or truth values.
func (a *npyArray) isInteger() bool {
	switch a.kind {
	case 'i', 'u':
		return a.width == 1 || a.width == 2 || a.width == 4 || a.width == 8
	case 'b':
		return a.width == 1
	}
	return false
}

// isFloat reports whether the values are numbers in floating point.
func (a *npyArray) isFloat() bool { return a.kind == 'f' && (a.width == 4 || a.width == 8) }

// length returns the number of values of an array with one dimension.
func (a *npyArray) length() (int64, error) {
	if len(a.shape) != 1 {
		return 0, fmt.Errorf("%s has %d dimensions, not one", a.name, len(a.shape))
	}
	return a.shape[0], nil
}

// bits reads the next value.
func (a *npyArray) bits() (uint64, error) {
	b := a.buf[:a.width]
	if _, err := io.ReadFull(a.r, b); err != nil {
		return 0, fmt.Errorf("%s breaks off: %w", a.name, err)
	}
	switch a.width {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(a.order.Uint16(b)), nil
	case 4:
		return uint64(a.order.Uint32(b)), nil
	}
	return a.order.Uint64(b), nil
}

// integer reads the next value of an array of integers. One past int64 is the greatest int64.
func (a *npyArray) integer() (int64, error) {
	bits, err := a.bits()
	if a.kind != 'i' {
		return int64(min(bits, math.MaxInt64)), err
	}
	shift := 64 - 8*a.width
	return int64(bits<<shift) >> shift, err
}

// float reads the next value of an array in floating point.
func (a *npyArray) float() (float64, error) {
	bits, err := a.bits()
	if a.width == 4 {
		return float64(math.Float32frombits(uint32(bits))), err
	}
	return math.Float64frombits(bits), err
}

// writeNPY writes scores as an array of float64, in the order of the table's rows.
func (w *writer) writeNPY(to io.Writer) error {
	if len(w.scores) != 1 {
		return fmt.Errorf("an array holds one score, not %d", len(w.scores))
	}
	out := bufio.NewWriterSize(to, 1<<16)
	if _, err := out.Write(npyHead(w.rows)); err != nil {
		return err
	}
	const tick = 1 << 13
	for i := range w.rows {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(w.scores[0][w.place(i)]))
		if _, err := out.Write(b[:]); err != nil {
			return err
		}
		if (i+1)%tick == 0 {
			if w.tick(tick); w.ctx.Err() != nil {
				return w.ctx.Err()
			}
		}
	}
	w.tick(w.rows % tick)
	return out.Flush()
}

// npyHead is what stands before the values: version 1 of the format, padded so that the values begin at a multiple
// of 64.
func npyHead(rows int) []byte { return npyHeadOf("<f8", fmt.Sprintf("%d,", rows)) }

func npyHeadOf(kind, shape string) []byte {
	line := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape)
	start := len(npyMagic) + 4
	line += strings.Repeat(" ", 63-(start+len(line))%64) + "\n"
	head := append([]byte(npyMagic), 1, 0)
	return append(binary.LittleEndian.AppendUint16(head, uint16(len(line))), line...)
}
