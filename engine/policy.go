package engine

import "github.com/linchpin-graph/linchpin/engine/policy"

// Policy says which devices a computation may use; see the package.
type Policy = policy.Policy

// Auto, GPU and CPU are the policies that name no device.
const (
	Auto = policy.Auto
	GPU  = policy.GPU
	CPU  = policy.CPU
)
