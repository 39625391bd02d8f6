package parts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

func aPartial(at int) *kernels.Partial {
	p := &kernels.Partial{Nodes: exact.NewSums(3, exact.For(100, 10)), Totals: kernels.Totals{Pairs: int64(at)}}
	p.Nodes.Add(at%3, 1.5)
	return p
}

func anAbout(index, of int) About {
	a := About{
		Program: Program{Version: "1", Commit: "c", Go: "g", Processor: "p"}, Graph: "d1", Index: index, Of: of,
		Tasks: []Task{
			TaskOf("betweenness", kernels.Request{Nodes: true}, Way{Device: CPU}),
			TaskOf("degree", kernels.Request{Nodes: true}, Way{Device: CPU}),
		},
		Told: []Told{{Left: 2, Pass: 1}, {Reason: "why"}},
	}
	a.Options = OptionsOf(a.Tasks)
	return a
}

func written(t *testing.T, a About) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%d-of-%d.part", a.Index, a.Of))
	if err := Write(path, a, []*Found{{Partial: aPartial(a.Index), Left: []int32{7, 1}},
		{Partial: aPartial(a.Index + 1)}}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFile: what is written is read again, task by task.
func TestFile(t *testing.T) {
	want := anAbout(1, 3)
	f, err := Open(written(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(f.About) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", f.About, want)
	}
	for task := range 2 {
		found, err := f.Found(task)
		if err != nil || found.Partial.Totals.Pairs != int64(1+task) || found.Told != want.Told[task] ||
			len(found.Left) != found.Told.Left {
			t.Errorf("task %d: %+v %v", task, found, err)
		}
		if task == 0 && !slices.Equal(found.Left, []int32{7, 1}) {
			t.Errorf("left %v", found.Left)
		}
	}
	if _, err := f.Found(2); !errors.Is(err, kernels.ErrPartial) {
		t.Errorf("a third task: %v", err)
	}
}

// TestDamage: no changed bit, no byte that is missing and none that is added goes unnoticed. The error names the file
// and says what to do.
func TestDamage(t *testing.T) {
	whole, err := os.ReadFile(written(t, anAbout(0, 1)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.part")
	refused := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+" ") || !strings.Contains(err.Error(), ": ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range whole {
		changed := slices.Clone(whole)
		changed[i] ^= 1 << (i % 8)
		refused(fmt.Sprintf("byte %d changed", i), changed)
		refused(fmt.Sprintf("%d bytes", i), whole[:i])
	}
	refused("a byte more", append(slices.Clone(whole), 0))
	refused("twice", append(slices.Clone(whole), whole...))
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// opened makes files that differ as change has it.
func opened(t *testing.T, of int, change func(i int, a *About)) (out []*File) {
	t.Helper()
	for i := range of {
		a := anAbout(i, of)
		change(i, &a)
		f := &File{About: a, Path: fmt.Sprintf("%d.part", i)}
		out = append(out, f)
	}
	return out
}

// second changes the second part alone.
func second(change func(a *About)) func(int, *About) {
	return func(i int, a *About) {
		if i == 1 {
			change(a)
		}
	}
}

// retask changes the tasks of a part, with their digest.
func retask(change func(t *Task)) func(int, *About) {
	return second(func(a *About) {
		change(&a.Tasks[0])
		a.Options = OptionsOf(a.Tasks)
	})
}

// TestCheckRefuses: parts that do not belong together, each with a message that says what is wrong and a hint.
func TestCheckRefuses(t *testing.T) {
	normalized, radius := true, 3
	for want, change := range map[string]func(int, *About){
		"1.part was computed by linchpin 2 (":          second(func(a *About) { a.Program.Version = "2" }),
		"(commit x, g, p); this is":                    second(func(a *About) { a.Program.Commit = "x" }),
		"(commit c, g2, p); this is":                   second(func(a *About) { a.Program.Go = "g2" }),
		"(commit c, g, arm64); this is":                second(func(a *About) { a.Program.Processor = "arm64" }),
		"p, program abc)":                              second(func(a *About) { a.Program.Digest = "abc" }),
		"1.part is of the graph d2, and 0.part":        second(func(a *About) { a.Graph = "d2" }),
		"1.part is of job hubs, and 0.part of a graph": second(func(a *About) { a.Job = "hubs" }),
		"1.part is one of 4 parts, and 0.part one of 3": second(func(a *About) {
			a.Of = 4
		}),
		"0.part and 1.part are both part 0 of 3": second(func(a *About) { a.Index = 0 }),
		"1.part says that it is part 3 of 3":     second(func(a *About) { a.Index = 3 }),
		"1.part says that it is part -1 of 3":    second(func(a *About) { a.Index = -1 }),
		"1.part says that it is part 1 of 0":     second(func(a *About) { a.Of = 0 }),
		"of options 0bad":                        second(func(a *About) { a.Options = "0bad" }),
		"other options than 0.part: measures: 1, not 2": second(func(a *About) {
			a.Tasks, a.Told = a.Tasks[:1], a.Told[:1]
			a.Options = OptionsOf(a.Tasks)
		}),
		"1.part says that it is part 1 of 3": second(func(a *About) {
			a.Tasks = nil
			a.Options = OptionsOf(nil)
		}),
		"measure is closeness, not betweenness": retask(func(t *Task) { t.Measure = "closeness" }),
		"edges is true, not false":              retask(func(t *Task) { t.Edges = true }),
		"nodes is false, not true":              retask(func(t *Task) { t.Nodes = false }),
		"scale is 2, not 1":                     retask(func(t *Task) { t.Scale = 2 }),
		"sources is 7, ab, not all":             retask(func(t *Task) { t.Sources = "7, ab" }),
		"computed on H200 (linchpin-worker w), and 0.part on the CPU": retask(func(t *Task) {
			t.By = Way{Device: "H200", Worker: "w"}
		}),
		"1.part has the results of 1 measures, not of 2": second(func(a *About) { a.Told = a.Told[:1] }),
		"reduce is off, not ":                            retask(func(t *Task) { t.Reduce = "off" }),
		"weighted is true, not false":                    retask(func(t *Task) { t.Params.Weighted = true }),
		"normalized is true, not unset":                  retask(func(t *Task) { t.Params.Normalized = &normalized }),
		"endpoints is true, not unset":                   retask(func(t *Task) { t.Params.Endpoints = true }),
		"variant is classic, not unset":                  retask(func(t *Task) { t.Params.Variant = "classic" }),
		"radius is 3, not unset":                         retask(func(t *Task) { t.Params.Radius = &radius }),
		"log is true, not unset":                         retask(func(t *Task) { t.Params.Log = true }),
		"tolerance is 1e-9, not unset":                   retask(func(t *Task) { t.Params.Tolerance = 1e-9 }),
	} {
		_, err := Check(anAbout(0, 1).Program, opened(t, 3, change), false)
		refused := (*Error)(nil)
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || refused.Hint == "" {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if _, err := Check(Program{}, nil, false); err == nil {
		t.Error("no part is a run")
	}
}

// TestMissing: the numbers of parts that are missing, and how they are listed.
func TestMissing(t *testing.T) {
	all := opened(t, 12, func(int, *About) {})
	missing, err := Check(anAbout(0, 1).Program, all, false)
	if err != nil || len(missing) > 0 {
		t.Errorf("%v %v", missing, err)
	}
	missing, err = Check(anAbout(0, 1).Program, []*File{all[9], all[0], all[3]}, false)
	if err != nil || Numbers(missing) != "1-2, 4-8, 10-11" {
		t.Errorf("%v %v", Numbers(missing), err)
	}
	if got := Numbers([]int{5}); got != "5" {
		t.Error(got)
	}
}
