package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

const envPrefix = "LINCHPIN_"

// binding ties an environment variable to a key of the file.
type binding struct {
	variable, path, field string
	index                 []int
	rules                 rules
}

// Variables returns the names of the environment variables that override the file, with the keys that they stand for.
func Variables() map[string]string {
	out := map[string]string{}
	for _, b := range bindings(reflect.TypeFor[Config](), envPrefix, "", nil) {
		out[b.variable] = b.path
	}
	return out
}

func bindings(t reflect.Type, prefix, path string, outer []int) []binding {
	var out []binding
	for i := range t.NumField() {
		f := t.Field(i)
		key, index := f.Tag.Get("yaml"), append(slices.Clone(outer), i)
		switch name := f.Tag.Get("env"); {
		case f.Tag.Get("envPrefix") != "":
			out = append(out, bindings(f.Type, prefix+f.Tag.Get("envPrefix"), path+key+".", index)...)
		case name != "" && name != "-":
			out = append(out, binding{prefix + name, path + key, f.Name, index, parseRules(f.Tag.Get("jsonschema"))})
		}
	}
	return out
}

// applyEnvironment lets the variables that are set, and not empty, win over the file.
func (d *decoder) applyEnvironment(c *Config, environment map[string]string) {
	bound := bindings(reflect.TypeFor[Config](), envPrefix, "", nil)
	for _, b := range bound {
		if environment[b.variable] != "" {
			d.at[b.path] = place{variable: b.variable}
			delete(d.failed, b.path)
		}
	}
	d.checkVariables(bound, environment)
	d.replaceSecret(&c.Neo4j.Password, &c.Neo4j.PasswordFile, "neo4j.password")
	d.replaceSecret(&c.Serve.Token, &c.Serve.TokenFile, "serve.token")
	err := env.ParseWithOptions(c, env.Options{Environment: environment, Prefix: envPrefix})
	var all env.AggregateError
	if errors.As(err, &all) {
		for _, one := range all.Errors {
			d.environmentMistake(bound, environment, one)
		}
	}
	for _, b := range bound {
		if d.at[b.path].variable != "" && !d.failed[b.path] {
			d.checkRules(reflect.ValueOf(c).Elem().FieldByIndex(b.index), b.rules, b.path)
		}
	}
}

// kubernetesVariable tells the variables that Kubernetes sets for a service, such as LINCHPIN_NEO4J_PORT_7687_TCP for
// one of the name linchpin-neo4j.
var kubernetesVariable = regexp.MustCompile(
	`_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`,
)

// checkVariables finds variables that have the prefix of a section and stand for none of its keys, such as
// LINCHPIN_NEO4J_USER.
func (d *decoder) checkVariables(bound []binding, environment map[string]string) {
	var known []string
	for _, b := range bound {
		known = append(known, b.variable)
	}
	for _, variable := range slices.Sorted(maps.Keys(environment)) {
		section := strings.HasPrefix(variable, envPrefix+"NEO4J_") || strings.HasPrefix(variable, envPrefix+"SERVE_")
		if !section || environment[variable] == "" || slices.Contains(known, variable) ||
			kubernetesVariable.MatchString(variable) {
			continue
		}
		d.mistakes = append(d.mistakes, Mistake{File: d.file, Variable: variable, Message: "no setting has this variable",
			Hint: nearest.DidYouMean(variable, known)})
	}
}

// replaceSecret lets a secret from the environment, in either form, replace the file's, in either form.
func (d *decoder) replaceSecret(secret *Password, file *string, key string) {
	text, path := d.at[key].variable != "", d.at[key+"File"].variable != ""
	if text && !path {
		*file = ""
	}
	if path && !text {
		*secret = Password{}
	}
}

func (d *decoder) environmentMistake(bound []binding, environment map[string]string, err error) {
	var parse env.ParseError
	if !errors.As(err, &parse) {
		d.mistake("", err.Error(), "")
		return
	}
	for _, b := range bound {
		if b.field == parse.Name {
			d.fail(b.path, fmt.Sprintf("%q is not %s", environment[b.variable], describe(parse.Type)), valueHint(parse.Type))
		}
	}
}

func environ(list []string) map[string]string {
	out := make(map[string]string, len(list))
	for _, entry := range list {
		if name, value, ok := strings.Cut(entry, "="); ok {
			out[name] = value
		}
	}
	return out
}
