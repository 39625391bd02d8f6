package traversal

import "slices"

// cut is how the sources of a pass are divided. Block after block takes a source, so that source i of an atom goes to
// block i mod blocks. The sums of the blocks are joined after each atom, which is a fixed number of sources, and shards
// are whole atoms. So sums depend neither on the shards nor on how many sources a launch is of.
type cut struct {
	// rounds are what atoms consist of: in a round each block takes a source, but for the last one, which ends with the
	// sources.
	count, blocks, rounds, atoms int
	// first and last are the numbers of the sources of the shard.
	first, last int
}

// cut divides count sources for so many blocks, into atoms of the same length to a round. The sources that decide on
// what follows are in the first atom.
func (r *run) cut(count, blocks int) cut {
	c := cut{count: count, blocks: blocks, rounds: roundUp(count, blocks)}
	c.atoms = evenAtoms(c.rounds / max(leastAtom, roundUp(r.probed(), blocks)))
	first, last := r.job.Shard.Part(c.atoms)
	c.first, c.last = c.begin(first), c.begin(last)
	return c
}

// evenAtoms is how many atoms a run has that may have so many: a number that 4 shards divide, where it can. Of 15, one
// of 4 shards would have 3 and the others 4, and would wait for them.
func evenAtoms(most int) int {
	for _, atoms := range slices.Backward([]int{2, 4, 8, 12, mostAtoms}) {
		if atoms <= most {
			return atoms
		}
	}
	return 1
}

// roundUp is count / each, rounded up.
func roundUp(count, each int) int { return (count + each - 1) / each }

// begin is the first source of an atom.
func (c cut) begin(atom int) int { return min(atom*c.rounds/c.atoms*c.blocks, c.count) }

// atom is the one that a source belongs to.
func (c cut) atom(source int) int { return ((source/c.blocks+1)*c.atoms - 1) / c.rounds }

// units are where launches from one source to another one may begin and end: a unit is of one source per block, and
// none passes the end of an atom.
func (c cut) units(from, to int) []int {
	bounds := []int{from}
	for at := from; at < to; {
		at = min(at+c.blocks, c.begin(c.atom(at)+1), to)
		bounds = append(bounds, at)
	}
	return bounds
}

// ends reports whether an atom ends before source number i.
func (c cut) ends(i int) bool { return i == c.count || c.begin(c.atom(i)) == i }

// blockSums is what blocks add up, each for itself.
type blockSums struct {
	// join joins the sums of an atom, whose sources are those numbered first to last. clear sets them to 0 for the next
	// one, and discard all that was added up since the run began, where none of it was joined.
	join           func(first, last int)
	clear, discard func()
	// joined reports whether the sums are joined and not cleared.
	joined bool
}
