package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpToDate: what the host knows of the kernels is what the CUDA sources say.
func TestUpToDate(t *testing.T) {
	const root = "../../kernels"
	found, err := filepath.Glob(filepath.Join(root, "*", output))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, file := range found {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, exported := range []bool{false, true} {
			want, err := Generate(root, filepath.Base(filepath.Dir(file)), exported)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(got, want) {
				break
			}
			if exported {
				t.Errorf("%s is out of date; run go generate ./kernels/...", file)
			}
		}
	}
}

// TestRefuses: a source that the host would misread is an error.
func TestRefuses(t *testing.T) {
	const maker = "#define MAKE(name, T) \\\n  extern \"C\" __global__ void name(T x) {}\n"
	for name, c := range map[string]struct{ text, want string }{
		"no kernels":   {"struct A {\n};\n", "no macro makes kernels"},
		"narrow field": {maker + "// host: arguments\nstruct A {\n  int x;\n};\n", "x has type int"},
		"unclosed":     {maker + "// host: arguments\nstruct A {\n  long long x;\n", "no line closes it"},
		"array":        {maker + "// host: arguments\nstruct A {\n  double x[3];\n};\n", "cannot read"},
		"one line":     {maker + "// host: arguments\nstruct A { double x; };\n", "cannot read the struct"},
		"constant":     {maker + "constexpr auto k = f(2);  // host: k\n", "cannot read the constant"},
		"no array":     {maker + "// host: arguments\nstruct A {\n  // host: arrays\n  double x;\n};\n", "is no pointer"},
		"two blocks": {maker + "// host: arguments\nstruct A {\n  // host: arrays\n  // host: end\n  // host: arrays\n};\n",
			"two blocks"},
		"kernel in a header": {maker + "extern \"C\" __global__ void alone(int x) {}\n", "alone is not in a .cu"},
		"unknown type":       {maker + "// host: arguments\nstruct A {\n  Other x;\n};\n", "type Other"},
	} {
		folder := sources(t, "a.cuh", c.text)
		if _, err := Generate(folder, "engine", false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// TestReads: all that the host takes of a source.
func TestReads(t *testing.T) {
	text := `constexpr unsigned long long kWide = 1 << 3;  // host: wide; of a row
constexpr int kOther = 5;
// host: enumeration
enum Form : long long { kFirst, second,  // a comment
  third };
// host: arguments
struct Inner {
  const unsigned *a, *b;
};
// host: arguments
struct Outer {
  Inner inner;  // a struct
  // host: arrays
  double* rows;  // one
  // host: end
  long long n, m; double x;
};
#define MAKE(name, T) \
  extern "C" __global__ void __launch_bounds__(32, 1) name(T x) {}
MAKE(made_f64, double)
extern "C" __global__ void __launch_bounds__(kWide) bounded(int x) {}
extern "C" __global__ void __launch_bounds__(32, 1)
    wrapped(int x) {}
`
	got, err := Generate(sources(t, "a.cu", text), "engine", false)
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.Join(strings.Fields(string(got)), " ")
	for _, want := range []string{
		"wide = 1 << 3", "first = 0 second = 1 third = 2", "a gpu.Ptr b gpu.Ptr",
		"inner innerArguments arrays outerArrays n int64 m int64 x float64", "type outerArrays struct { rows gpu.Ptr }",
		"type outerBuffers struct { rows device.Buffer }", "b.rows.Into = &into.rows",
		`kernelMadeF64 = gpu.Kernel{Name: "made_f64", File: "a"}`, `kernelBounded = gpu.Kernel{Name: "bounded", File: "a"}`,
		`kernelWrapped = gpu.Kernel{Name: "wrapped", File: "a"}`,
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if strings.Contains(plain, "kOther") {
		t.Error("a constant without a host's name was taken")
	}
}

// sources is a folder with a folder with one file.
func sources(t *testing.T, name, text string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "engine"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "engine", name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}
