package cuts

// leastNodes is the size from which a block is faster on a device: a cut costs three launches and an answer there, and
// on the CPU about as much as a block of so many nodes takes: docs/notes/045.
const leastNodes = 128
