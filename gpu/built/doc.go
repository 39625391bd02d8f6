// Package built is the device that a build has by its tags: gpu/cuda with the tag cuda, gpu/emulated with the tag
// emulate.
package built
