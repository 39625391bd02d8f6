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

// Error is why files do not make the scores of a run. Hint is what to do. Err is why this machine cannot; nil if the
// files are at fault.
type Error struct {
	Msg, Hint string
	Err       error
}

func (e *Error) Error() string { return e.Msg }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

func refuse(hint, format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Check reports why files are not parts of one run of a program, and returns the numbers of the parts that are missing.
// mixed allows parts of several kinds of GPU, which may round differently.
func Check(p Program, files []*File, mixed bool) (missing []int, err error) {
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
		if err := f.sameWay(first, mixed); err != nil {
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
		return refuse("compute this part again", "%s says that it is part %d of %d of options %s", f.Path, f.Index,
			f.Of, f.Options)
	}
	if len(f.Told) != len(f.Tasks) {
		return refuse("compute this part again", "%s has the results of %d measures, not of %d", f.Path, len(f.Told),
			len(f.Tasks))
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
	case OptionsOf(anyWay(f.Tasks)) != OptionsOf(anyWay(first.Tasks)):
		return refuse("compute all parts with the same options", "%s was computed with other options than %s: %s",
			f.Path, first.Path, Difference(f.Tasks, first.Tasks))
	case f.Of != first.Of:
		return refuse("merge parts of one --of", "%s is one of %d parts, and %s one of %d", f.Path, f.Of,
			first.Path, first.Of)
	}
	return nil
}

// anyWay are tasks without the ways that they were computed in.
func anyWay(tasks []Task) []Task {
	out := slices.Clone(tasks)
	for i := range out {
		out[i].By = Way{}
	}
	return out
}

// sameWay reports in which other way than those of another file a file's sums were computed. Both have the same tasks.
func (f *File) sameWay(first *File, mixed bool) error {
	for i, t := range f.Tasks {
		switch a, b := t.By, first.Tasks[i].By; {
		case a == b || mixed && a.bits() == b.bits():
		case a.OnGPU() != b.OnGPU():
			return refuse("give all processes the same --device: gpu fails where there is no GPU, and cpu uses none",
				"%s was computed on %s, and %s on %s", f.Path, a.name(), first.Path, b.name())
		case a.bits() != b.bits():
			return refuse("give all processes the same --precision and --strategy, and --reduce off if they still differ",
				"%s was computed by %s, and %s by %s", f.Path, a.how(), first.Path, b.how())
		default:
			return refuse(
				"use one kind of GPU with as much free memory, and one build of linchpin-worker; or add --mixed, and the scores "+
					"are "+promise(a)+", but may differ in their last digits from those of one kind",
				"%s was computed on %s, and %s on %s", f.Path, a.name(), first.Path, b.name())
		}
	}
	return nil
}

// promise says how close scores of several kinds of GPU are.
func promise(w Way) string {
	if w.Single {
		return "right to 1e-5"
	}
	return "right to 1e-9"
}

// Mixed says what scores of parts of several kinds of GPU are; "" for parts of one kind.
func Mixed(files []*File) string {
	for _, f := range files {
		for i, t := range f.Tasks {
			if a, b := t.By, files[0].Tasks[i].By; a != b {
				return fmt.Sprintf("the parts are of %s and %s: the scores are %s, but not those of one kind of GPU bit by bit",
					a.name(), b.name(), promise(a))
			}
		}
	}
	return ""
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
	delete(out, "by")
	maps.Copy(out, params)
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
