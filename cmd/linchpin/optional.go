package main

import (
	"strconv"

	"github.com/spf13/pflag"
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

// addOptionalBool adds a flag that stands for true when it has no value.
func addOptionalBool(f *pflag.FlagSet, target **bool, name, usage string) {
	f.VarPF(optionalBool{target}, name, "", usage).NoOptDefVal = "true"
}
