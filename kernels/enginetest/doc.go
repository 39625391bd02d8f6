// Package enginetest is for tests of engines on a device: graphs, and comparisons of any engine with the CPU. All but
// this comment is behind the tags of builds with a device.
package enginetest
