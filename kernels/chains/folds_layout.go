package chains

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// foldLayout is how a contracted graph lies in device memory, besides what searches take.
type foldLayout struct {
	branches, chains, inner int64
	// bins is how many there are over all chains, each of so many bytes before and after.
	bins, before, after int64
	// keepsSeen reports whether the folds of branch nodes over chains are kept.
	keepsSeen bool
}

func newFoldLayout(c *closeness.Contracted, fold closeness.Fold) foldLayout {
	l := foldLayout{branches: int64(len(c.Branch)), chains: int64(len(c.Chains)), inner: int64(len(c.Inner))}
	l.bins, l.before, l.after = l.inner+l.chains, 4, 8
	if fold == closeness.Greatest {
		l.before, l.after = bestBytes, bestBytes
	}
	return l
}

// batches is how many batches of branch nodes there are.
func (l foldLayout) batches() int { return int((l.branches + weighted.Lanes - 1) / weighted.Lanes) }

// seenBytes is the memory of the folds over each chain from each branch node.
func (l foldLayout) seenBytes() int64 {
	l.keepsSeen = true
	return l.seen(&foldArrays{}).Bytes()
}

// bytes is the memory of all else.
func (l foldLayout) bytes() int64 { return l.buffers(&foldArrays{}, &foldLists{}).Bytes() + 1<<16 }

// foldArrays is the device memory of a run; see ChainFolds in chain_folds.cuh.
type foldArrays struct {
	row, own, chains, ends, at, before, after gpu.Ptr
	seen, branch, byU, byV, total, inner      gpu.Ptr
}

// buffers lists the arrays of a run, of which some are filled from lists; those are empty where the bytes alone matter.
func (l foldLayout) buffers(a *foldArrays, from *foldLists) device.Buffers {
	return append(device.Buffers{
		{Name: "branch nodes", Bytes: 4 * l.branches, From: device.BytesOf(from.row), Into: &a.row},
		{Name: "values of branch nodes", Bytes: 4 * l.branches, From: device.BytesOf(from.own), Into: &a.own},
		{Name: "chains", Bytes: chainBytes * l.chains, From: device.BytesOf(from.chains), Into: &a.chains},
		{Name: "ends of chains", Bytes: endsBytes * l.chains, From: device.BytesOf(from.ends), Into: &a.ends},
		{Name: "places in chains", Bytes: 4 * l.inner, From: device.BytesOf(from.at), Into: &a.at},
		{Name: "bins before", Bytes: l.before * l.bins, From: from.before, Into: &a.before},
		{Name: "bins after", Bytes: l.after * l.bins, From: from.after, Into: &a.after},
		{Name: "folds of branch nodes", Bytes: 8 * l.branches, Zero: true, Into: &a.branch},
		{Name: "bins by U", Bytes: 8 * l.bins, Zero: true, Into: &a.byU},
		{Name: "bins by V", Bytes: 8 * l.bins, Zero: true, Into: &a.byV},
		{Name: "totals of chains", Bytes: 8 * l.chains, Zero: true, Into: &a.total},
		{Name: "folds of inner nodes", Bytes: 8 * l.inner, Zero: true, Into: &a.inner},
	}, l.seen(a)...)
}

// seen lists the folds of branch nodes over chains, where they are kept.
func (l foldLayout) seen(a *foldArrays) device.Buffers {
	if !l.keepsSeen {
		return nil
	}
	return device.Buffers{{Name: "folds over chains", Bytes: 8 * l.branches * l.chains, Into: &a.seen}}
}
