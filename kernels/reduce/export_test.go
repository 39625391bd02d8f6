package reduce

// AllLarge returns the options changed so that every core is solved by all threads together.
func (o Options) AllLarge() Options {
	o.smallCore = 1
	return o
}
