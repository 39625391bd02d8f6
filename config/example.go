package config

import (
	_ "embed"
	"fmt"
)

//go:embed example.yml
var example string

//go:embed schema.json
var schema string

// Example returns the commented file that linchpin init writes. It loads without mistakes.
func Example() string { return example }

// Schema returns the JSON schema of the file, for editors. It is generated from the structs of this package:
// go test ./config -run TestSchema -update.
func Schema() string { return schema }

// Modeline returns the first line that makes editors check the file against the schema at this address.
func Modeline(address string) string {
	return fmt.Sprintf("# yaml-language-server: $schema=%s\n", address)
}
