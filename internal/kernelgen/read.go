package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source is what the CUDA sources of a folder say, with the structs of all folders.
type source struct {
	structs   []structure
	kernels   []kernel
	constants []constant
	enums     []enumeration
}

// kernel is one by its name, and the .cu that has it, without folder and ending.
type kernel struct{ name, file string }

type structure struct {
	name, file string
	fields     []field
}

// field is one member of a struct: 8 bytes, or another struct.
type field struct {
	name, goType string
	// array reports whether the host allocates what the member points to.
	array bool
}

// arrays are the members that the host allocates.
func (s structure) arrays() []field {
	return slices.DeleteFunc(slices.Clone(s.fields), func(f field) bool { return !f.array })
}

type constant struct{ name, value, file string }

type enumeration struct {
	name, file string
	values     []string
}

var (
	structBegin = regexp.MustCompile(`^struct (\w+) \{$`)
	shared      = regexp.MustCompile(`^\s*(?:static )?constexpr \w+(?: \w+)* \w+ = ([\w *+.<]+);.*// host: (\w+)`)
	enumBegin   = regexp.MustCompile(`^enum (\w+)(?: : \w+(?: \w+)*)? \{`)
	// Its name may be on the next line.
	function = regexp.MustCompile(
		`(?m)^extern "C" __global__ (?:void\s+)?(?:__launch_bounds__\([^)]*\)\s+)?(?:void\s+)?(\w+)\(`)
	maker   = regexp.MustCompile(`#define (\w+)\(name\b[^)]*\)\s*\\\s*extern "C" __global__`)
	comment = regexp.MustCompile(`//.*$`)
)

// readFolder reads every .cu and .cuh in one folder of root, in the order of their names. Macros that make kernels, and
// structs that are parts of others, may be in any folder.
func readFolder(root, own string) (*source, error) {
	paths, err := filepath.Glob(filepath.Join(root, "*", "*.cu*"))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	var makers []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		texts[path] = string(text)
		for _, found := range maker.FindAllStringSubmatch(string(text), -1) {
			makers = append(makers, found[1])
		}
	}
	if len(makers) == 0 {
		return nil, fmt.Errorf("%s: no macro makes kernels", root)
	}
	s := &source{}
	made := regexp.MustCompile(`^(?:` + strings.Join(makers, "|") + `)\((\w+)\s*,`)
	for _, path := range paths {
		in := s
		name := filepath.Base(filepath.Dir(path))
		if name != own {
			in = &source{}
		}
		if err := in.readFile(name+"/"+filepath.Base(path), texts[path], made); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if name != own {
			s.structs = append(s.structs, in.structs...)
		}
	}
	slices.SortFunc(s.kernels, func(a, b kernel) int { return strings.Compare(a.name, b.name) })
	return s, s.resolve()
}

func (s *source) readFile(file, text string, made *regexp.Regexp) error {
	var names []string
	for _, found := range function.FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 && lines[i-1] == "// host: arguments" {
			found := structBegin.FindStringSubmatch(line)
			if found == nil {
				return fmt.Errorf("cannot read the struct of %q", line)
			}
			fields, err := readFields(lines[i+1:])
			if err != nil {
				return fmt.Errorf("struct %s: %w", found[1], err)
			}
			s.structs = append(s.structs, structure{found[1], file, fields})
		}
		if found := enumBegin.FindStringSubmatch(line); found != nil && i > 0 && lines[i-1] == "// host: enumeration" {
			s.enums = append(s.enums, enumeration{found[1], file, readValues(lines[i:])})
		}
		if found := shared.FindStringSubmatch(line); found != nil {
			s.constants = append(s.constants, constant{found[2], found[1], file})
		} else if strings.Contains(line, "constexpr") && strings.Contains(line, "// host:") {
			return fmt.Errorf("cannot read the constant of %q", line)
		}
		if found := made.FindStringSubmatch(line); found != nil {
			names = append(names, found[1])
		}
	}
	compiled, ok := strings.CutSuffix(filepath.Base(file), ".cu")
	if len(names) > 0 && !ok {
		return fmt.Errorf("kernel %s is not in a .cu", names[0])
	}
	for _, name := range names {
		s.kernels = append(s.kernels, kernel{name, compiled})
	}
	return nil
}

// Lines in a struct around the arrays that the host allocates, of which a struct has one block.
const arraysBegin, arraysEnd = "// host: arrays", "// host: end"

// readFields reads the members up to the closing brace. A member's type is the words before its first name.
func readFields(lines []string) ([]field, error) {
	var out []field
	array, blocks := false, 0
	for _, line := range lines {
		switch strings.TrimSpace(line) {
		case arraysBegin:
			if array, blocks = true, blocks+1; blocks > 1 {
				return nil, fmt.Errorf("has two blocks of arrays")
			}
		case arraysEnd:
			array = false
		}
		line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
		if line == "};" {
			return out, nil
		}
		for _, statement := range strings.Split(line, ";") {
			if statement = strings.TrimSpace(statement); statement == "" {
				continue
			}
			fields, err := readMember(statement)
			if err != nil {
				return nil, err
			}
			for _, f := range fields {
				if f.array = array; array && f.goType != "Ptr" {
					return nil, fmt.Errorf("%s stands among the arrays, but is no pointer", f.name)
				}
				out = append(out, f)
			}
		}
	}
	return nil, fmt.Errorf("no line closes it")
}

// readValues reads the names of an enumeration, which count from 0.
func readValues(lines []string) []string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(comment.ReplaceAllString(line, "") + " ")
		if strings.Contains(line, "};") {
			break
		}
	}
	_, body, _ := strings.Cut(text.String(), "{")
	body, _, _ = strings.Cut(body, "}")
	var out []string
	for _, name := range strings.Split(body, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

var member = regexp.MustCompile(`^(?:const )?((?:unsigned |signed )?(?:long long|\w+))(\*? \*?\w+(?:, ?\*?\w+)*)$`)

func readMember(statement string) ([]field, error) {
	found := member.FindStringSubmatch(statement)
	if found == nil {
		return nil, fmt.Errorf("cannot read %q", statement)
	}
	base, names := found[1], found[2]
	pointer := strings.HasPrefix(names, "*")
	var out []field
	for _, name := range strings.Split(strings.TrimPrefix(names, "*"), ",") {
		name = strings.TrimSpace(name)
		goType := base
		if pointer || strings.HasPrefix(name, "*") {
			goType = "Ptr"
		}
		out = append(out, field{name: strings.TrimPrefix(name, "*"), goType: goType})
	}
	return out, nil
}

// resolve turns the types of fields into Go's. Every one takes 8 bytes, so that the structs lie alike on both sides.
func (s *source) resolve() error {
	types := map[string]string{
		"Ptr": "gpu.Ptr", "long long": "int64", "unsigned long long": "int64", "double": "float64",
	}
	for _, of := range s.structs {
		types[of.name] = arguments(of.name)
	}
	for _, of := range s.structs {
		for i, f := range of.fields {
			goType, ok := types[f.goType]
			if !ok {
				return fmt.Errorf("struct %s: %s has type %s, which does not take 8 bytes or is not known", of.name, f.name,
					f.goType)
			}
			of.fields[i].goType = goType
		}
	}
	return nil
}
