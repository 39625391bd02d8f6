package cuda

import "fmt"

// Strategies lists every strategy, for auto the best first.
func Strategies() []Strategy {
	all := []Strategy{
		traversal{name: "work-efficient", method: workEfficient, kernel: "node", lanes: 1, weighted: true},
		traversal{name: "hybrid", method: hybrid, kernel: "arcs", lanes: 1},
		traversal{name: "sampling", method: workEfficient, kernel: "arcs", lanes: 1, probe: true},
		traversal{name: "vertex-parallel", method: vertexParallel, kernel: "node", lanes: 1, weighted: true},
		traversal{name: "edge-parallel", method: edgeParallel, kernel: "arcs", lanes: 1},
		traversal{name: "vertex-pull", method: vertexPull, kernel: "pull", lanes: 1},
	}
	for _, lanes := range []int64{4, 8, 16, 32} {
		all = append(all,
			traversal{name: fmt.Sprintf("work-efficient-warp-%d", lanes), method: workEfficient, kernel: "warp", lanes: lanes, weighted: true},
			traversal{name: fmt.Sprintf("vertex-warp-%d", lanes), method: vertexParallel, kernel: "warp", lanes: lanes, weighted: true},
		)
	}
	return append(all, volumeBitmap{}, volumeLists{})
}
