//go:build !linux

// Package hugepages asks the system for pages of 2 MiB.
package hugepages

// Of returns the slice as it is: other systems choose their pages by themselves.
func Of[T any](values []T) []T { return values }
