// Package faults holds the fault suite: real runs of the built program against a real Neo4j, through a proxy that harms
// the connection, with processes killed on both sides, with processes that race, with hosts whose clocks differ, with a
// graph that changes during the write, and with a server that refuses.
//
// After each fault the same job runs again without one, and everything must be as if the fault had never been: scores
// equal to those of a model that the tests keep and compute themselves, no lock, no record of a run that never ended,
// no file left behind. `go test` runs a short form; `make test-faults` the long one.
package faults
