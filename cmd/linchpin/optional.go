package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/kernels"
)

// optionalBool is a flag that knows whether it was given: the measure's own default holds otherwise.
type optionalBool struct{ value **bool }

func (o optionalBool) String() string {
	if o.value == nil || *o.value == nil {
		return ""
	}
	return strconv.FormatBool(**o.value)
}

func (o optionalBool) Set(text string) error {
	b, err := strconv.ParseBool(text)
	*o.value = &b
	return err
}

func (optionalBool) Type() string { return "bool" }

// optionalInt is a whole number that knows whether it was given.
type optionalInt struct{ value **int }

func (o optionalInt) String() string {
	if o.value == nil || *o.value == nil {
		return ""
	}
	return strconv.Itoa(**o.value)
}

func (o optionalInt) Set(text string) error {
	i, err := strconv.Atoi(text)
	*o.value = &i
	return err
}

func (optionalInt) Type() string { return "N" }

// optionalNumber is a number that knows whether it was given.
type optionalNumber struct{ value **float64 }

func (o optionalNumber) String() string {
	if o.value == nil || *o.value == nil {
		return ""
	}
	return strconv.FormatFloat(**o.value, 'g', -1, 64)
}

func (o optionalNumber) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	*o.value = &x
	return err
}

func (optionalNumber) Type() string { return "X" }

// addMeasureOptions adds a flag for each option of measures.
func addMeasureOptions(f *pflag.FlagSet, p *kernels.Params) {
	for _, o := range kernels.Options() {
		help := strings.ToLower(o.Help[:1]) + strings.TrimSuffix(o.Help[1:], ".")
		switch field := o.In(p).(type) {
		case *bool:
			f.BoolVar(field, o.Name, false, help)
		case **bool: // stands for true when it has no value
			f.VarPF(optionalBool{field}, o.Name, "", help).NoOptDefVal = "true"
		case **int:
			f.Var(optionalInt{field}, o.Name, help)
		case **float64:
			f.Var(optionalNumber{field}, o.Name, help)
		case *float64:
			f.Float64Var(field, o.Name, 0, help)
		case *string:
			f.StringVar(field, o.Name, "", help)
		}
	}
}
