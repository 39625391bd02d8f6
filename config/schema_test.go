package config

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/linchpin-graph/linchpin/kernels"
)

// TestSchema generates the schema from the structs and compares it with the committed file; -update writes the file.
func TestSchema(t *testing.T) {
	text := generateSchema(t)
	if *update {
		if err := os.WriteFile("schema.json", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(Schema(), text); diff != "" {
		t.Errorf("schema.json is out of date; go test ./config -run TestSchema -update:\n%s", diff)
	}
}

func generateSchema(t *testing.T) string {
	t.Helper()
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Anonymous: true, Mapper: mapType}
	if err := r.AddGoComments("github.com/linchpin-graph/linchpin/config", "."); err != nil {
		t.Fatal(err)
	}
	// AddGoComments joins the base with the folder; the folder here is the package itself.
	comments := map[string]string{}
	for name, comment := range r.CommentMap {
		comments[strings.Replace(name, "config/.", "config", 1)] = strings.Join(strings.Fields(comment), " ")
	}
	r.CommentMap = comments
	s := r.Reflect(&Config{})
	s.Title = "linchpin config"
	addDefaults(s)
	if measure, ok := s.Definitions["Measure"].Properties.Get("measure"); ok {
		for _, m := range kernels.Measures() {
			measure.Enum = append(measure.Enum, m.Name)
		}
		measure.MinLength = nil
	}
	if relationships, ok := s.Definitions["Graph"].Properties.Get("relationships"); ok { // a type alone is a short form
		one := uint64(1)
		relationships.Items = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", MinLength: &one},
			relationships.Items}}
	}
	for key, name := range map[string]string{"sources": "NodeSet", "targets": "NodeSet", "demand": "Demand"} {
		one := uint64(1)
		if p, ok := s.Definitions["Measure"].Properties.Get(key); ok { // short forms, too
			p.Ref, p.OneOf = "", []*jsonschema.Schema{{Type: "string", MinLength: &one}, {Ref: "#/$defs/" + name}}
		}
	}
	if p, ok := s.Definitions["Relationship"].Properties.Get("weight"); ok { // a short form, too
		one := uint64(1)
		p.Ref, p.OneOf = "", []*jsonschema.Schema{{Type: "string", MinLength: &one}, {Ref: "#/$defs/Weight"}}
	}
	for definition, key := range map[string]string{"Job": "outputs", "Output": "properties"} { // short forms, too
		one := uint64(1)
		if list, ok := s.Definitions[definition].Properties.Get(key); ok {
			list.Items = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", MinLength: &one}, list.Items}}
		}
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}

// mapType describes the types whose text form is not what their Go type says.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`}
	case reflect.TypeFor[Password]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[Range]():
		one, hops, weight := uint64(1), &jsonschema.Schema{Type: "integer", Minimum: "1"},
			&jsonschema.Schema{Type: "number", ExclusiveMinimum: "0"}
		several := func(of *jsonschema.Schema) *jsonschema.Schema {
			return &jsonschema.Schema{Type: "array", Items: of, MinItems: &one, UniqueItems: true}
		}
		weights := &jsonschema.Schema{OneOf: []*jsonschema.Schema{weight, several(weight)}}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			hops, several(hops), {Type: "object", AdditionalProperties: weights, MinProperties: &one, MaxProperties: &one},
		}}
	case reflect.TypeFor[Sample]():
		keys := (&jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Anonymous: true,
			ExpandedStruct: true}).
			Reflect(Sample{})
		keys.Version = ""
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: "0"}, keys}}
	case reflect.TypeFor[Devices]():
		one := uint64(1)
		number := &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "999"}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "string", Const: allDevices}, {Type: "array", Items: number, MinItems: &one, UniqueItems: true},
		}}
	}
	return nil
}

// addDefaults shows editors the defaults, from the one place that has them.
func addDefaults(s *jsonschema.Schema) {
	relationship := DefaultRelationship()
	for name, value := range map[string]any{
		"Config": Default(), "Neo4j": Default().Neo4j, "Job": DefaultJob(), "Graph": DefaultGraph(),
		"Relationship": relationship, "Compute": DefaultCompute(), "Write": DefaultWrite(), "Serve": DefaultServe(),
		"Retry": DefaultRetry(), "Hook": DefaultHook(), "Limits": DefaultLimits(), "Requests": DefaultServe().Requests,
	} {
		v := reflect.ValueOf(value)
		for i := range v.NumField() {
			p, ok := s.Definitions[name].Properties.Get(v.Type().Field(i).Tag.Get("yaml"))
			f := v.Field(i)
			if v.Type().Field(i).Tag.Get("yaml") == "-" {
				continue
			}
			if f.Kind() == reflect.Pointer && !f.IsNil() {
				f = f.Elem()
			}
			if !ok || f.IsZero() || f.Kind() == reflect.Struct || f.Kind() == reflect.Slice {
				continue
			}
			p.Default = f.Interface()
			if d, isDuration := p.Default.(time.Duration); isDuration {
				p.Default = d.String()
			}
		}
	}
}

// TestSchemaKnowsEveryKey walks the structs beside the schema.
func TestSchemaKnowsEveryKey(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema()), &s); err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Config](), reflect.TypeFor[Neo4j](), reflect.TypeFor[Job](), reflect.TypeFor[Graph](),
		reflect.TypeFor[Relationship](), reflect.TypeFor[Measure](), reflect.TypeFor[Compute](), reflect.TypeFor[Write](),
		reflect.TypeFor[Serve](), reflect.TypeFor[Retry](), reflect.TypeFor[Hook](), reflect.TypeFor[Limits](),
		reflect.TypeFor[Requests](), reflect.TypeFor[Output](), reflect.TypeFor[Property](), reflect.TypeFor[NodeSet](),
		reflect.TypeFor[Demand](), reflect.TypeFor[Weight](),
	} {
		for name := range fieldsOf(typ) {
			p, ok := s.Definitions[typ.Name()].Properties.Get(name)
			if !ok || p.Description == "" && p.Ref == "" {
				t.Errorf("%s.%s: no description in the schema", typ.Name(), name)
			}
		}
	}
}
