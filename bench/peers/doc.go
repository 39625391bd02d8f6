// Package peers compares the scores of package kernels with those of NetworkX, igraph and NetworKit, on graphs that
// each of them defines as we do. It is tests only: they run peers.py with the Python that LINCHPIN_PEER_PYTHON names,
// which needs requirements.txt (`make peers` makes one).
//
// compare.py is the benchmark next to them (`make bench-peers`): rows.py lists what it measures, race.py has the
// programs of a row take turns, and peer.py is a peer in a process. sampling.py compares samples of betweenness with
// those of NetworKit. builds.py needs no peer: it has two builds of linchpin take turns. dense.py draws dense
// graphs that no rule of auto was made for, and shows which way auto took on them.
//
// Where their conventions differ from ours, peers.py converts, and says so beside the call.
package peers
