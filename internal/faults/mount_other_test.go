//go:build !linux

package faults

import "errors"

func mountSmall(string, string) error { return errors.New("only Linux has tmpfs") }
