package config

import "time"

// Serve says how linchpin serve runs.
type Serve struct {
	// Listen is the address of the page, the metrics and the health checks. Another than loopback needs a token.
	Listen string `yaml:"listen" env:"LISTEN" jsonschema:"minLength=1"`
	// Token lets its bearer start and cancel runs; without one nobody can over HTTP. Better: tokenFile, or the
	// environment. Load has read tokenFile into it.
	Token Password `yaml:"token" env:"TOKEN"`
	// TokenFile is a file that holds the token; one line break at its end is not part of it.
	TokenFile string `yaml:"tokenFile" env:"TOKEN_FILE"`
	// Read says who may look: open for everybody who reaches the address, token for its bearer alone.
	Read string `yaml:"read" env:"READ" jsonschema:"enum=open,enum=token"`
	// Hosts are the names that browsers may call the service by, besides localhost and the address itself.
	Hosts []string `yaml:"hosts"`
	// Certificate and Key are the PEM files of TLS; both or none.
	Certificate string `yaml:"certificate" env:"CERTIFICATE"`
	// Key is the PEM file of the certificate's private key.
	Key string `yaml:"key" env:"KEY"`
	// Grace is how long runs may go on after the service was told to stop; then they are cancelled.
	Grace time.Duration `yaml:"grace" env:"GRACE" jsonschema:"minimum=0"`
	// Running is the number of runs at the same time, CPU and GPU of them those that compute there.
	Running int `yaml:"running" env:"RUNNING" jsonschema:"minimum=1,maximum=1000"`
	// CPU is the number of runs that compute on the CPU at the same time.
	CPU int `yaml:"cpu" env:"CPU" jsonschema:"minimum=1,maximum=1000"`
	// GPU is the number of runs that compute on a GPU at the same time.
	GPU int `yaml:"gpu" env:"GPU" jsonschema:"minimum=1,maximum=1000"`
	// Keep is the number of run records to keep for each job; the last success stays in any case.
	Keep int `yaml:"keep" env:"KEEP" jsonschema:"minimum=10,maximum=100000000"`
	// Drift is the rank correlation with the previous run under which scores count as drifted.
	Drift float64 `yaml:"drift" env:"DRIFT" jsonschema:"minimum=-1,maximum=1"`
	// Traces is the address of an OpenTelemetry collector that takes OTLP over HTTP; empty for no traces.
	Traces string `yaml:"traces" env:"TRACES"`
	// Pprof serves Go's profiles at /debug/pprof/, behind the token.
	Pprof bool `yaml:"pprof" env:"PPROF"`
	// Requests says whether runs can be asked for in Cypher.
	Requests Requests `yaml:"requests" envPrefix:"REQUESTS_"`
	// Hooks tell others how runs end.
	Hooks []Hook `yaml:"hooks"`
}

// Requests says how the service looks for nodes (:LinchpinRequest), by which runs are asked for in Cypher.
type Requests struct {
	// Enabled is false when such nodes shall do nothing.
	Enabled bool `yaml:"enabled" env:"ENABLED"`
	// Every is the time between two looks at the database.
	Every time.Duration `yaml:"every" env:"EVERY" jsonschema:"exclusiveMinimum=0"`
	// Keep is how long answered requests stay in the database; 0s: until somebody else removes them.
	Keep time.Duration `yaml:"keep" env:"KEEP" jsonschema:"minimum=0"`
}

// Retry says how often a scheduled run is tried again after a fault that may pass, and when.
type Retry struct {
	// Times is the number of further attempts.
	Times int `yaml:"times" jsonschema:"minimum=0,maximum=100"`
	// Wait is the time before the first of them; each further one waits twice as long.
	Wait time.Duration `yaml:"wait" jsonschema:"exclusiveMinimum=0"`
	// Most is the longest time between two attempts.
	Most time.Duration `yaml:"most" jsonschema:"exclusiveMinimum=0"`
}

// Hook tells somebody how a run ended: a webhook, or a command. Exactly one of URL and Exec is set.
type Hook struct {
	// On lists the ends of a run that the hook is called for: failure, success, warning, drift. A success with warnings
	// is a success and a warning.
	On []string `yaml:"on" jsonschema:"required,minItems=1"`
	// URL is sent the report as JSON by POST.
	URL string `yaml:"url"`
	// SecretFile is a file that holds the key that signs the body.
	SecretFile string `yaml:"secretFile"`
	// Exec is a command and its arguments; it reads the report as JSON from its standard input.
	Exec []string `yaml:"exec" jsonschema:"minItems=1"`
	// Timeout of one call.
	Timeout time.Duration `yaml:"timeout" jsonschema:"exclusiveMinimum=0"`
	// Secret is what SecretFile holds.
	Secret Password `yaml:"-"`
}
