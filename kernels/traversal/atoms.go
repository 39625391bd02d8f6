package traversal

// cut is how the sources of a pass are divided. Block after block takes a source, so that source i of an atom goes to
// block i mod blocks. The sums of the blocks are joined after each atom, which is a fixed number of sources, and shards
// are whole atoms. So sums depend neither on the shards nor on how many sources a launch is of.
type cut struct {
	count, atom int
	// first and last are the numbers of the sources of the shard.
	first, last int
}

// cut divides count sources for so many blocks. The sources that decide on what follows are in the first atom.
func (r *run) cut(count, blocks int) cut {
	each := max(leastAtom, roundUp(roundUp(count, blocks), mostAtoms), roundUp(r.probed(), blocks))
	c := cut{count: count, atom: each * blocks}
	first, last := r.job.Shard.Part(roundUp(count, c.atom))
	c.first, c.last = min(first*c.atom, count), min(last*c.atom, count)
	return c
}

// roundUp is count / each, rounded up.
func roundUp(count, each int) int { return (count + each - 1) / each }

// units are where launches from one source to another one may begin and end: a unit is of one source per block, and
// none passes the end of an atom.
func (c cut) units(from, to, blocks int) []int {
	bounds := []int{from}
	for at := from; at < to; {
		at = min(at+blocks, (at/c.atom+1)*c.atom, to)
		bounds = append(bounds, at)
	}
	return bounds
}

// ends reports whether an atom ends before source number i.
func (c cut) ends(i int) bool { return i%c.atom == 0 || i == c.count }

// blockSums is what blocks add up, each for itself.
type blockSums struct {
	// join joins the sums of an atom, whose sources are those numbered first to last. clear sets them to 0 for the next
	// one, and discard all that was added up since the run began, where none of it was joined.
	join           func(first, last int)
	clear, discard func()
	// joined reports whether the sums are joined and not cleared.
	joined bool
}
