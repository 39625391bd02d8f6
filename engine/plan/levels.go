package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Batches by hops, level by level. A lane is a source, and a row has 512 bytes. How often a batch comes to
// a node depends on how alike the distances of its lanes are: on hubs, through which paths lead, and on the
// depth of the graph.

const (
	singleLanes, doubleLanes = 128, 64
	rowBytes                 = 512
	// From teamBlocks to largestTeam blocks work on a batch, up to turnsTeam of turnsArcs arcs each so that a team has
	// leastTurns batches, and waveTeam where the memory holds few teams. A multiprocessor holds blocksPerSM of them.
	teamBlocks, turnsTeam, waveTeam, largestTeam, blocksPerSM = 8, 32, 32, 128, 2
	leastTurns, turnsArcs                                     = 4, 16384
	// slotsPerTeam is how many sets of sums a team has.
	slotsPerTeam = 4
	levelsBend   = 11
	// mostLevels is the share of all levels at which a batch reaches a node, however far apart its sources are.
	mostLevels = 0.7
	// fewOfAll is up to which share of all nodes sources are taken to be as far from a node as nodes at random.
	fewOfAll = 0.25
)

// lanes is how many sources a batch that counts paths has.
func (f *Features) lanes() float64 {
	if f.narrow() {
		return singleLanes
	}
	return doubleLanes
}

// levelsCost predicts batches level by level, on what is left of the graph.
func (r *Rates) levelsCost(f *Features, s size) Cost {
	prepare := r.ordered(s)
	if !f.Depth().Deep {
		if s.all < float64(order.CountsBalls) || order.AreLocal(f.Locality()) {
			prepare = r.sorted(s)
		}
		prepare += r.Host.Alike.in(s.sources)
	}
	return Cost{Prepare: prepare, Search: r.levelsSearch(f, s)}
}

func (r *Rates) levelsSearch(f *Features, s size) float64 {
	l := r.Levels
	batches := math.Ceil(s.sources / f.lanes())
	grid := float64(r.Shape.SMs) * blocksPerSM
	room := r.Shape.room(grid)
	blocks := math.Min(turnsTeam, math.Floor(math.Min(leastTurns*grid/batches, s.arcs/turnsArcs)))
	blocks = math.Min(grid, math.Max(math.Max(teamBlocks, blocks), math.Min(largestTeam, math.Floor(grid/batches))))
	if room < grid { // few teams of many blocks
		blocks = math.Min(room, waveTeam)
	}
	teams := math.Min(math.Floor(room/blocks), batches)
	work := l.Arc.in(s.arcs) * r.reachedAt(f, s) * fittedSMs / float64(r.Shape.SMs)
	work *= f.Reach() * when(f.EdgeScores, 1+l.Edge.Value) * when(!f.narrow(), l.Double.Value)
	alone := work*l.Alone.Value*grid/blocks + l.Barrier.in(f.levels())
	shared := work * overflow(teams*s.nodes*rowBytes, r.Shape.L2, l.Miss.Value)
	search := wider(math.Ceil(batches/teams)*alone, batches*shared, levelsBend)
	return l.Base.in(1) + l.Row.in(s.nodes*f.Reach()*math.Min(batches, slotsPerTeam*teams)) + search
}

// reachedAt is at how many levels a batch reaches a node.
func (r *Rates) reachedAt(f *Features, s size) float64 {
	l := r.Levels
	if spread := f.Depth().Spread; !f.All && spread > 0 && s.share() < fewOfAll {
		return 1 + math.Min(spread, f.levels()) // which a range bounds
	}
	at := math.Pow(f.Hub(), -l.Hub.Value) * math.Pow(f.levels(), l.Depth.Value)
	if !f.All {
		at *= math.Pow(s.share(), -l.Drawn.Value)
	}
	return 1 + math.Min(at, mostLevels*f.levels())
}
