package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/parts"
)

// runOf are the three parts of a run, as shard wrote them.
type runOf struct {
	graph string
	files [3][]byte
}

// threeParts computes them, with more flags.
func threeParts(t *testing.T, flags ...string) runOf {
	t.Helper()
	t.Setenv("LINCHPIN_WORKER", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	folder := t.TempDir()
	r := runOf{graph: filepath.Join(folder, "graph.csv")}
	if err := writeGrid(r.graph, 5, 4); err != nil {
		t.Fatal(err)
	}
	for i := range r.files {
		path := filepath.Join(folder, fmt.Sprint(i, partSuffix))
		mustRun(t, append(flags, "shard", r.graph, "--measure", "betweenness", "--index", fmt.Sprint(i), "--of", "3",
			"--out", path, "--device", "cpu")...)
		var err error
		if r.files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// mustRun runs a command in this process.
func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if status, said := runHere(args...); status != statusDone {
		t.Fatalf("linchpin %s: status %d: %s", strings.Join(args, " "), status, said)
	}
}

// runHere runs a command in this process, and returns its status and what it said.
func runHere(args ...string) (status int, said string) {
	var stdout, stderr bytes.Buffer
	status = run(append(args, "--quiet"), &stdout, &stderr)
	return status, stderr.String()
}

// wrong is a folder with the three parts, one of which is to be made wrong.
type wrong struct {
	*testing.T
	folder string
	run    runOf
}

// path is that of a part.
func (w *wrong) path(i int) string { return filepath.Join(w.folder, fmt.Sprint(i, partSuffix)) }

// put writes the bytes of a part.
func (w *wrong) put(i int, data []byte) {
	w.Helper()
	if err := os.WriteFile(w.path(i), data, 0o600); err != nil {
		w.Fatal(err)
	}
}

// cut makes the second part so many bytes shorter; a negative number leaves as many.
func cut(bytes int) func(*wrong) {
	return func(w *wrong) {
		whole := w.run.files[1]
		if bytes < 0 {
			bytes += len(whole)
		}
		w.put(1, whole[:len(whole)-bytes])
	}
}

// flip changes a bit of the second part, in what a marker begins; a marker "" is the end of the file.
func flip(marker string, behind int) func(*wrong) {
	return func(w *wrong) {
		changed := slices.Clone(w.run.files[1])
		at := len(changed)
		if marker != "" {
			at = bytes.Index(changed, []byte(marker))
		}
		changed[at+behind] ^= 4
		w.put(1, changed)
	}
}

// forge writes some of the parts again, with other contents and a checksum that is right.
func forge(which []int, change func(i int, a *parts.About, f *parts.Found)) func(*wrong) {
	return func(w *wrong) {
		for _, i := range which {
			file, err := parts.Open(w.path(i))
			if err != nil {
				w.Fatal(err)
			}
			found, err := file.Found(0)
			if err != nil {
				w.Fatal(err)
			}
			a := file.About
			before := parts.OptionsOf(a.Tasks)
			change(i, &a, found)
			if a.Options == before {
				a.Options = parts.OptionsOf(a.Tasks)
			}
			if err := parts.Write(w.path(i), a, []*parts.Found{found}); err != nil {
				w.Fatal(err)
			}
		}
	}
}

// second forges what the second part says of itself.
func second(change func(*parts.About)) func(*wrong) {
	return forge([]int{1}, func(_ int, a *parts.About, _ *parts.Found) { change(a) })
}

// task forges the task of the second part.
func task(change func(*parts.Task)) func(*wrong) {
	return second(func(a *parts.About) { change(&a.Tasks[0]) })
}

// onGPU makes all parts those of a GPU, and then changes the second.
func onGPU(change func(*parts.Way)) func(*wrong) {
	return forge([]int{0, 1, 2}, func(i int, a *parts.About, _ *parts.Found) {
		by := &a.Tasks[0].By
		*by = parts.Way{Device: "Fake 9000", Strategy: "levels", Plain: true, Worker: "0123abcd"}
		if i == 1 {
			change(by)
		}
	})
}

// leaving makes all parts those of a GPU that leave sources.
func leaving(count int, sources ...[]int32) func(*wrong) {
	return func(w *wrong) {
		onGPU(func(*parts.Way) {})(w)
		forge([]int{0, 1, 2}, func(i int, a *parts.About, f *parts.Found) {
			f.Left, a.Tasks[0].Reduce = sources[i], "auto"
			a.Told[0].Left = max(len(f.Left), count)
		})(w)
	}
}

const (
	another   = " was computed by linchpin "
	cutOff    = "1.part is damaged: it is cut off: compute this part again"
	checksum  = "1.part is damaged: its checksum is wrong, so it was cut off or changed: compute this part again"
	notAPart  = "1.part is not a part of a run: name files that linchpin shard has written"
	otherWith = "1.part was computed with other options than "
)

// kinds are wrong parts, each with what merge says of it.
func kinds() map[string]struct {
	says string
	make func(*wrong)
} {
	type kind = struct {
		says string
		make func(*wrong)
	}
	return map[string]kind{
		"missing":        {"part 1 of 3 is missing", func(w *wrong) { _ = os.Remove(w.path(1)) }},
		"there twice":    {"1.part and ", func(w *wrong) { w.put(7, w.run.files[1]) }},
		"empty":          {"1.part is empty: compute this part again", func(w *wrong) { w.put(1, nil) }},
		"a foreign file": {notAPart, func(w *wrong) { w.put(1, []byte("src,dst\n0,1\n1,2\n3,4\n")) }},
		"a folder": {"1.part is a folder",
			func(w *wrong) { _ = os.Remove(w.path(1)); _ = os.Mkdir(w.path(1), 0o700) }},
		"a link that has no end": {"too many levels of symbolic links",
			func(w *wrong) { _ = os.Remove(w.path(1)); _ = os.Symlink(w.path(1), w.path(1)) }},
		"a link to nothing": {"no such file",
			func(w *wrong) { _ = os.Remove(w.path(1)); _ = os.Symlink("nothing", w.path(1)) }},

		"cut off in its first line":  {notAPart, cut(-7)},
		"cut off in what it says":    {cutOff, cut(-200)},
		"cut off in its sums":        {checksum, cut(60)},
		"cut off in its checksum":    {checksum, cut(3)},
		"a byte too long":            {checksum, func(w *wrong) { w.put(1, append(slices.Clone(w.run.files[1]), 0)) }},
		"a bit of the word linchpin": {notAPart, flip("linchpin part ", 2)},
		"a bit of the length":        {"1.part is damaged: ", flip("linchpin part 1\n", len("linchpin part 1\n"))},
		"a bit of what it says":      {checksum, flip(`"graph"`, 12)},
		"a bit of the sums' heading": {checksum, flip("linchpin partial", 30)},
		"a bit of the sums":          {checksum, flip("", -40)},
		"a bit of the checksum":      {checksum, flip("", -1)},
		"another format": {"1.part has another format: it is of another version of linchpin",
			flip("linchpin part 1", 14)},
		"another version":            {another + "99.0 (", second(func(a *parts.About) { a.Program.Version = "99.0" })},
		"another commit":             {"(commit abcdef, ", second(func(a *parts.About) { a.Program.Commit = "abcdef" })},
		"another compiler":           {", go0.9, ", second(func(a *parts.About) { a.Program.Go = "go0.9" })},
		"another byte order":         {", s390x", second(func(a *parts.About) { a.Program.Processor = "s390x" })},
		"another kind of processor":  {", amd64 v9", second(func(a *parts.About) { a.Program.Processor = "amd64 v9" })},
		"another build of a version": {", program 0123", second(func(a *parts.About) { a.Program.Digest = "0123" })},
		"another graph": {"1.part is of the graph 0123, and ", second(func(a *parts.About) {
			a.Graph = "0123"
		})},
		"of a job":                {"1.part is of job hubs, and ", second(func(a *parts.About) { a.Job = "hubs" })},
		"another number of parts": {"1.part is one of 4 parts, and ", second(func(a *parts.About) { a.Of = 4 })},
		"a part that there is not": {"1.part says that it is part 3 of 3", second(func(a *parts.About) {
			a.Index = 3
		})},
		"another digest of options": {"of options 0123", second(func(a *parts.About) { a.Options = "0123" })},
		"no results": {"1.part has the results of 0 measures, not of 1", second(func(a *parts.About) {
			a.Told = nil
		})},
		"no measures": {"1.part says that it is part 1 of 3", second(func(a *parts.About) {
			a.Tasks, a.Options = nil, ""
		})},
		"another measure": {"measure is stress, not betweenness", task(func(t *parts.Task) {
			t.Measure = "stress"
		})},
		"by weights": {"weighted is true, not false", task(func(t *parts.Task) {
			t.Params.Weighted = true
		})},
		"other sources":    {"sources is 7, ab, not all", task(func(t *parts.Task) { t.Sources = "7, ab" })},
		"another scale":    {"scale is 3, not 1", task(func(t *parts.Task) { t.Scale = 3 })},
		"scores of edges":  {otherWith, task(func(t *parts.Task) { t.Edges = true })},
		"other reductions": {"reduce is trees, not ", task(func(t *parts.Task) { t.Reduce = "trees" })},
		"of a GPU among those of the CPU": {"1.part was computed on Fake 9000 (linchpin-worker 77), and ",
			task(func(t *parts.Task) {
				t.By = parts.Way{Device: "Fake 9000", Worker: "77"}
			})},
		"of another kind of GPU": {"1.part was computed on Fake 9001 (linchpin-worker 0123abcd), and ",
			onGPU(func(w *parts.Way) {
				w.Device = "Fake 9001"
			})},
		"of another linchpin-worker": {"1.part was computed on Fake 9000 (linchpin-worker 99), and ",
			onGPU(func(w *parts.Way) {
				w.Worker = "99"
			})},
		"of a GPU with less memory": {"(linchpin-worker 0123abcd, 99 thread blocks), and ", onGPU(func(w *parts.Way) {
			w.Blocks = 99
		})},
		"in another precision": {"1.part was computed by strategy levels (way 0) in single precision",
			onGPU(func(w *parts.Way) {
				w.Single = true
			})},
		"by another strategy": {"1.part was computed by strategy deep (way 0), and ", onGPU(func(w *parts.Way) {
			w.Strategy = "deep"
		})},
		"in another way": {"1.part was computed by strategy levels (way 2), and ", onGPU(func(w *parts.Way) {
			w.Number = 2
		})},
		"the sources that another left": {"parts 0 and 1 leave the same source",
			leaving(0, []int32{1, 2}, []int32{2, 1}, nil)},
		"more sources left than it has": {"it cannot have 1000000 sources left", leaving(1e6, nil, nil, nil)},
		"left to a GPU that is not here": {"the parts are of a GPU, and leave work to one: ",
			leaving(0, []int32{1}, nil, nil)},
		"sums of another graph": {"partial results of different runs cannot be joined",
			forge([]int{1}, func(_ int, _ *parts.About, f *parts.Found) {
				f.Partial.NodeCounts = make([]int64, 7)
			})},
	}
}

// TestMergeRefuses: merge says what is wrong with a part, writes nothing, and leaves the parts as they are.
func TestMergeRefuses(t *testing.T) {
	r := threeParts(t)
	if n := len(kinds()); n < 30 {
		t.Errorf("%d kinds of wrong parts", n)
	}
	for name, kind := range kinds() {
		t.Run(name, func(t *testing.T) {
			w := &wrong{t, t.TempDir(), r}
			for i, data := range r.files {
				w.put(i, data)
			}
			kind.make(w)
			before := contents(t, w.folder)
			out := filepath.Join(t.TempDir(), "scores.csv")
			status, said := runHere("merge", w.folder, "--nodes-out", out)
			if status != statusFailed && status != statusUsage && status != statusNoGPU || !strings.Contains(said, kind.says) {
				t.Errorf("status %d: %s; want %q", status, said, kind.says)
			}
			if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
				t.Errorf("left %s", left)
			}
			if after := contents(t, w.folder); after != before {
				t.Errorf("the parts are %s; they were %s", after, before)
			}
		})
	}
}

// TestMergeMixed: parts of two kinds of GPU make scores where that is allowed, and merge says what these are. Parts of
// a graph that was searched as it is are merged on a machine without a GPU.
func TestMergeMixed(t *testing.T) {
	r := threeParts(t, "--reduce", "off")
	w := &wrong{t, t.TempDir(), r}
	for i, data := range r.files {
		w.put(i, data)
	}
	want, out := filepath.Join(t.TempDir(), "want.csv"), filepath.Join(t.TempDir(), "scores.csv")
	mustRun(t, "merge", w.folder, "--nodes-out", want)
	for _, kind := range []string{"Fake 9000", "Fake 9001"} {
		onGPU(func(by *parts.Way) { by.Device = kind })(w)
		var stdout, stderr bytes.Buffer
		if status := run([]string{"merge", w.folder, "--mixed", "--nodes-out", out, "--json"}, &stdout,
			&stderr); status != statusDone {
			t.Fatalf("%s: %s", kind, &stderr)
		}
		says := "the parts are of Fake 9001 (linchpin-worker 0123abcd) and Fake 9000 (linchpin-worker 0123abcd): the scores are right to 1e-9"
		if said := stdout.String() + stderr.String(); strings.Contains(said, says) != (kind == "Fake 9001") ||
			!strings.Contains(said, `"Fake 9000"`) {
			t.Errorf("%s: %s", kind, said)
		}
		if !bytes.Equal(read(t, out), read(t, want)) {
			t.Errorf("%s: other scores", kind)
		}
	}
}

// contents names the files of a folder, with their lengths.
func contents(t *testing.T, folder string) (all string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, _ := os.ReadFile(filepath.Join(folder, f.Name()))
		all += fmt.Sprintf("%s of %d bytes; ", f.Name(), len(data))
	}
	return all
}
