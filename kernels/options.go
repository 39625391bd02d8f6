package kernels

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Option is one field of Params.
type Option struct {
	// Name in the config, in JSON, and on the command line.
	Name string
	// Help is one sentence, or a few.
	Help string
	// Minimum and Maximum are the least and the greatest value of a number; it must be over Above and under Below. Nil for
	// none.
	Minimum, Maximum, Above, Below *float64

	field int
}

// Options lists every option that some measure has.
func Options() []Option {
	t := reflect.TypeFor[Params]()
	out := make([]Option, t.NumField())
	for i := range out {
		tag := t.Field(i).Tag
		out[i] = Option{Name: tag.Get("yaml"), Help: tag.Get("jsonschema_description"), field: i, Minimum: nil, Maximum: nil,
			Above: nil, Below: nil}
		for rule := range strings.SplitSeq(tag.Get("jsonschema"), ",") {
			name, text, _ := strings.Cut(rule, "=")
			if value, err := strconv.ParseFloat(text, 64); err == nil {
				out[i].bound(name, &value)
			}
		}
	}
	return out
}

// knownOptions is Options, read off the tags once: every run asks. Nobody may change it.
var knownOptions = sync.OnceValue(Options)

// bound sets the bound that a rule of JSON schema names.
func (o *Option) bound(rule string, value *float64) {
	switch rule {
	case "minimum":
		o.Minimum = value
	case "maximum":
		o.Maximum = value
	case "exclusiveMinimum":
		o.Above = value
	case "exclusiveMaximum":
		o.Below = value
	}
}

// In returns a pointer to the option's field.
func (o Option) In(p *Params) any {
	return reflect.ValueOf(p).Elem().Field(o.field).Addr().Interface()
}

// given returns the option's value where it is not the zero value, without pointers.
func (o Option) given(p Params) (value reflect.Value, ok bool) {
	v := reflect.ValueOf(p).Field(o.field)
	if v.IsZero() {
		return v, false
	}
	return reflect.Indirect(v), true
}

// OptionError says what is wrong with an option.
type OptionError struct {
	Measure string
	// Option is its name, Problem what is wrong, to be read after the name.
	Option, Problem string
	// Allowed are what could stand there instead: values of the option where Value is set, options otherwise.
	Allowed []string
	Value   string
}

func (e *OptionError) Error() string {
	text := fmt.Sprintf("%s: %s: %s", e.Measure, e.Option, e.Problem)
	switch {
	case len(e.Allowed) > 0:
		text += "; it has " + strings.Join(e.Allowed, ", ")
	case e.Value == "":
		text += "; it has none"
	}
	return text
}

// CheckOptions returns the first option that the measure does not have, or whose value it does not take; nil for none.
func (m Measure) CheckOptions(p Params) *OptionError {
	for _, o := range knownOptions() {
		if value, ok := o.given(p); ok {
			if e := m.checkOption(o, value); e != nil {
				return e
			}
		}
	}
	return m.checkTogether(p)
}

// checkTogether returns the first option that does not go with another.
func (m Measure) checkTogether(p Params) *OptionError {
	switch {
	case p.Keep != nil && p.Threshold != nil:
		return &OptionError{Measure: m.Name, Option: "threshold",
			Problem: fmt.Sprintf("%v does not go with keep %v: one of them says how much is kept", *p.Threshold, *p.Keep),
			Value:   fmt.Sprint(*p.Threshold)}
	case p.Connected && p.Variant == OfNodes:
		return &OptionError{Measure: m.Name, Option: "connected",
			Problem: "true does not go with variant nodes: a spanning forest has all nodes", Value: "true"}
	}
	return nil
}

func (m Measure) checkOption(o Option, value reflect.Value) *OptionError {
	shown := fmt.Sprint(value.Interface())
	wrong := func(format string, args ...any) *OptionError {
		return &OptionError{Measure: m.Name, Option: o.Name, Problem: fmt.Sprintf(format, args...), Value: shown}
	}
	switch {
	case m.Weights == NoWeights && slices.Contains(weightOptions(), o.Name):
		return wrong("%s reads no weights", m.Name)
	case !m.has(o.Name):
		return &OptionError{Measure: m.Name, Option: o.Name, Problem: m.Name + " has no such option", Allowed: m.Options}
	case value.Kind() == reflect.String && !slices.Contains(m.Variants, shown):
		e := wrong("%s has no %s %q", m.Name, o.Name, shown)
		e.Allowed = m.Variants
		return e
	case value.CanInt():
		return o.checkNumber(float64(value.Int()), wrong)
	case value.CanFloat():
		return o.checkNumber(value.Float(), wrong)
	}
	return nil
}

func (o Option) checkNumber(x float64, wrong func(string, ...any) *OptionError) *OptionError {
	switch {
	case o.Minimum != nil && !(x >= *o.Minimum):
		return wrong("%v is not at least %v", x, *o.Minimum)
	case o.Maximum != nil && !(x <= *o.Maximum):
		return wrong("%v is more than %v", x, *o.Maximum)
	case o.Above != nil && !(x > *o.Above):
		return wrong("%v is not over %v", x, *o.Above)
	case o.Below != nil && !(x < *o.Below):
		return wrong("%v is not under %v", x, *o.Below)
	}
	return nil
}

// weightOptions are those of weights. Every measure has the first which can read weights, and the second if they are
// lengths.
func weightOptions() []string { return []string{"weighted", "tolerance"} }

func (m Measure) has(option string) bool {
	if slices.Contains(weightOptions(), option) {
		return m.Weights != NoWeights && (option == "weighted" || !m.Kind.Strengths())
	}
	return slices.Contains(m.Options, option)
}
