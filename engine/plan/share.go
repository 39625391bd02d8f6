package plan

// Of runs that several devices share. A shard pays for what it prepares, and its last batches leave some of its device
// idle, which is why shards of devices of one kind are long, and few: notes 044 and 045. Devices that differ need more
// of them to end together.
const (
	mostPerDevice  = 8
	leastPerDevice = 4   // where devices differ
	shardSeconds   = 60  // of a device, at least
	sharedSeconds  = 2.0 // of a run that is worth sharing, on one device
	// joinedPerSecond is how many scores of partial results are read and joined a second.
	joinedPerSecond = 4e7
)

// Share divides a way over so many devices: its shards, and its time. Which way is taken does not depend on their
// number, so neither do the bits of scores: ways are ranked before.
func (c Candidate) Share(f *Features, devices int, alike bool) Candidate {
	if c.Device != GPU || devices < 2 || !f.Kind.Divides() || f.Top {
		return c
	}
	if c.Shards == 0 {
		c.Shards = shardsFor(c.Cost.Search, devices, alike)
	}
	c.Devices = min(devices, c.Shards)
	if c.Devices < 2 {
		c.Devices = 0
		return c
	}
	scores := float64(f.Nodes)
	if f.EdgeScores {
		scores += float64(f.Edges)
	}
	c.Cost.Search /= float64(c.Devices)
	c.Cost.Way += float64(c.Shards) * scores / joinedPerSecond
	c.Seconds = c.Cost.Seconds()
	return c
}

// Parts is into how many shards the run of a way is cut, as records have it; 0 for one that is not.
func (c Candidate) Parts() int { return c.Shards }

// shardsFor is into how many shards devices share a search of so many seconds on one of them: 0 for one that is too
// short.
func shardsFor(seconds float64, devices int, alike bool) int {
	least := 1
	if !alike {
		least = leastPerDevice
	}
	switch {
	case seconds == 0:
		return devices * least
	case seconds < sharedSeconds:
		return 0
	}
	each := int(seconds / float64(devices) / shardSeconds)
	return devices * min(max(each, least), mostPerDevice)
}
