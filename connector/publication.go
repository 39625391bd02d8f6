package connector

// Mode says how the scores of a run become what readers see.
type Mode string

// The modes of publication. InPlace sets a property directly: while a run writes, readers see scores of two runs. AB
// writes to two properties in turn, and one small transaction at the end tells readers which to read. Stamp writes the
// property itself and beside it the run that each score comes from; meanwhile readers are told to read a copy of the
// scores before.
const (
	InPlace Mode = "inplace"
	AB      Mode = "ab"
	Stamp   Mode = "stamp"
	// NoMode publishes nothing: the database gets no scores.
	NoMode Mode = "none"
)

// Slot names one of the two places that AB and Stamp have for a score; under InPlace there is one, "".
type Slot string

// The slots of AB, and those of Stamp.
const (
	SlotA    Slot = "a"
	SlotB    Slot = "b"
	SlotNew  Slot = "new"
	SlotPrev Slot = "prev"
)

// Slots returns the slots of a mode.
func (m Mode) Slots() []Slot {
	switch m {
	case AB:
		return []Slot{SlotA, SlotB}
	case Stamp:
		return []Slot{SlotNew, SlotPrev}
	case NoMode:
		return nil
	}
	return []Slot{""}
}

// Property returns the name of the property that holds a score in a slot.
func (m Mode) Property(score string, s Slot) string {
	if s == "" || s == SlotNew {
		return score
	}
	return score + "__" + string(s)
}

// RunProperty returns the name of the property that tells which run a score comes from; only Stamp has one.
func (m Mode) RunProperty(score string) string {
	if m != Stamp {
		return ""
	}
	return score + "_run"
}

// Properties returns the names of all properties that a score takes.
func (m Mode) Properties(score string) []string {
	var out []string
	for _, s := range m.Slots() {
		out = append(out, m.Property(score, s))
	}
	if run := m.RunProperty(score); run != "" {
		out = append(out, run)
	}
	return out
}

// AllProperties is Properties for several scores.
func (m Mode) AllProperties(scores []string) []string {
	var out []string
	for _, s := range scores {
		out = append(out, m.Properties(s)...)
	}
	return out
}

// Publication is what readers of a job's scores see.
type Publication struct {
	// Mode is "" before the first run has ended well.
	Mode Mode `json:"mode"`
	// Slot holds the published scores.
	Slot Slot `json:"slot,omitempty"`
	// Run is the run that they come from.
	Run string `json:"run,omitempty"`
	// Previous is the run whose scores stand whole in the other slot; "" when there is none.
	Previous string `json:"previous,omitempty"`
	// Withdrawn is the run that a rollback has taken back, until the next one is published.
	Withdrawn string `json:"withdrawn,omitempty"`
	// Writing is a run that has begun to write and has not been published.
	Writing string `json:"writing,omitempty"`
}

// Target returns the slot that the next run writes to under a mode.
func (p Publication) Target(m Mode) Slot {
	switch {
	case m == AB && p.Mode == AB && p.Slot == SlotA:
		return SlotB
	case m == AB:
		return SlotA
	case m == Stamp:
		return SlotNew
	}
	return ""
}

// Next returns the publication once a run has written its scores.
func (p Publication) Next(m Mode, run string) Publication {
	next := Publication{Mode: m, Slot: p.Target(m), Run: run}
	if p.Mode == m && m != InPlace && p.Slot != "" && p.Slot != next.Slot {
		next.Previous = p.Run
	}
	return next
}

// Other returns the publication of the other slot, for a way back; only where Previous is set.
func (p Publication) Other() Publication {
	other := Publication{Mode: p.Mode, Run: p.Previous, Withdrawn: p.Run}
	for _, s := range p.Mode.Slots() {
		if s != p.Slot {
			other.Slot = s
		}
	}
	return other
}
