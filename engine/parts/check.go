package parts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Error is why files are not the parts of one run. Hint is what to do.
type Error struct{ Msg, Hint string }

func (e *Error) Error() string { return e.Msg }

func refuse(hint, format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Check reports why files are not parts of one run of a program, and returns the numbers of the parts that are missing.
func Check(p Program, files []*File) (missing []int, err error) {
	if len(files) == 0 {
		return nil, errors.New("there are no parts")
	}
	first := files[0]
	at := map[int]*File{}
	for _, f := range files {
		if err := f.checkRange(); err != nil {
			return nil, err
		}
		if f.Program != p {
			return nil, refuse("compute and merge with the same build of linchpin, on the same kind of processor",
				"%s was computed by %v; this is %v", f.Path, f.Program, p)
		}
		if err := f.belongs(first); err != nil {
			return nil, err
		}
		if twin := at[f.Index]; twin != nil {
			return nil, refuse("leave one of them out", "%s and %s are both part %d of %d", twin.Path, f.Path, f.Index, f.Of)
		}
		at[f.Index] = f
	}
	for i := range first.Of {
		if at[i] == nil {
			missing = append(missing, i)
		}
	}
	return missing, nil
}

// checkRange finds what no part that linchpin writes says of itself.
func (f *File) checkRange() error {
	if f.Of < 1 || f.Index < 0 || f.Index >= f.Of || len(f.Tasks) == 0 || f.Options != OptionsOf(f.Tasks) {
		return refuse("compute this part again", "%s says that it is part %d of %d of options %s", f.Path, f.Index, f.Of, f.Options)
	}
	return nil
}

// belongs reports why a file is not of the same run as another one.
func (f *File) belongs(first *File) error {
	switch {
	case f.Job != first.Job:
		return refuse("merge the parts of one run", "%s is of %s, and %s of %s", f.Path, jobOf(f), first.Path, jobOf(first))
	case f.Graph != first.Graph:
		return refuse(
			"compute all parts of one file, or of one snapshot of a job, and read it with the same flags (--weighted, --directed)",
			"%s is of the graph %s, and %s of the graph %s", f.Path, f.Graph, first.Path, first.Graph,
		)
	case f.Options != first.Options:
		return refuse("compute all parts with the same options", "%s was computed with other options than %s: %s",
			f.Path, first.Path, Difference(f.Tasks, first.Tasks))
	case f.Of != first.Of:
		return refuse("merge parts of one --of", "%s is one of %d parts, and %s one of %d", f.Path, f.Of, first.Path, first.Of)
	}
	return nil
}

func jobOf(f *File) string {
	if f.Job == "" {
		return "a graph in a file"
	}
	return "job " + f.Job
}

// Difference names the first option in which tasks differ, as "x, not y".
func Difference(a, b []Task) string {
	if len(a) != len(b) {
		return fmt.Sprintf("measures: %d, not %d", len(a), len(b))
	}
	for i := range a {
		left, right := fields(a[i]), fields(b[i])
		for _, name := range namesOf(left, right) {
			if x, y := left[name], right[name]; !bytes.Equal(x, y) {
				return fmt.Sprintf("%s is %s, not %s", name, shown(x), shown(y))
			}
		}
	}
	return "no difference"
}

// fields are the options of a task by their names.
func fields(t Task) map[string]json.RawMessage {
	out, params := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	text, _ := json.Marshal(t) // every field marshals, and is read again
	_ = json.Unmarshal(text, &out)
	_ = json.Unmarshal(out["params"], &params)
	delete(out, "params")
	for name, value := range params {
		out[name] = value
	}
	return out
}

// namesOf lists names, in order. What reductions were decided on follows from the other options, so it comes last.
func namesOf(a, b map[string]json.RawMessage) []string {
	const last = "reduce"
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(all, func(x, y string) int {
		switch {
		case x == y:
			return 0
		case x == last:
			return 1
		case y == last:
			return -1
		}
		return cmp.Compare(x, y)
	})
	return slices.Compact(all)
}

func shown(value json.RawMessage) string {
	if value == nil {
		return "unset"
	}
	return strings.Trim(string(value), `"`)
}

// Numbers lists numbers of parts, neighbours as a range: "2, 5-7".
func Numbers(all []int) string {
	var out []string
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1] == all[last]+1 {
			last++
		}
		switch {
		case last == i:
			out = append(out, fmt.Sprint(all[i]))
		default:
			out = append(out, fmt.Sprintf("%d-%d", all[i], all[last]))
		}
		i = last + 1
	}
	return strings.Join(out, ", ")
}
