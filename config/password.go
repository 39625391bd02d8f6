package config

import "log/slog"

// Password is a secret that prints as ***, whatever prints it. Only Reveal gives it away. The zero value is no
// password.
//
// The text sits behind a pointer because fmt prints unexported fields without asking their methods: a Password inside
// any struct shows an address at worst.
type Password struct {
	secret *string
}

const hidden = "***"

// NewPassword wraps a secret.
func NewPassword(secret string) Password { return Password{&secret} }

// Reveal returns the secret, for the one place that logs in with it.
func (p Password) Reveal() string {
	if p.secret == nil {
		return ""
	}
	return *p.secret
}

// IsZero says whether there is no password.
func (p Password) IsZero() bool { return p.secret == nil }

// String returns *** and hides the secret from %s and %v.
func (p Password) String() string { return hidden }

// GoString hides the secret from %#v.
func (p Password) GoString() string { return hidden }

// MarshalText hides the secret from JSON and every other encoding by text.
func (p Password) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// MarshalYAML hides the secret from YAML.
func (p Password) MarshalYAML() (any, error) { return hidden, nil }

// LogValue hides the secret from slog.
func (p Password) LogValue() slog.Value { return slog.StringValue(hidden) }

// UnmarshalText takes the secret from the environment.
func (p *Password) UnmarshalText(text []byte) error {
	*p = NewPassword(string(text))
	return nil
}
