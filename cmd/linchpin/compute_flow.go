package main

import "github.com/linchpin-graph/linchpin/kernels"

// solutionResult is what compute --json says of the equations of a flow.
type solutionResult struct {
	Systems    int     `json:"systems"`
	Iterations int     `json:"iterations"`
	Residual   float64 `json:"residual"`
	Drawn      int     `json:"drawn"`
	Error      float64 `json:"error"`
	Delta      float64 `json:"delta"`
}

func solutionOf(s *kernels.Solution) *solutionResult {
	if s == nil {
		return nil
	}
	return &solutionResult{s.Systems, s.Iterations, s.Residual, s.Drawn, s.Error, s.Delta}
}
