package index

import "svc/geo/geom"

// Ranking asks of most candidates only whether they can still enter the best:
// the coarse section answers in four bytes an entry what the 32 bytes of its
// row would, and stays in the processor's cache.

const (
	coarseXBits = 15
	coarseYBits = 14
	coarseXStep = 3_600_000_000/(1<<coarseXBits) + 1
	coarseYStep = 1_800_000_000/(1<<coarseYBits) + 1

	// CoarseError is the farthest that an entry can stand from its coarse
	// position, in metres: half the diagonal of a cell, rounded up.
	CoarseError = 900

	rankStep = 256 // entries that share one bound on their importance
)

// coarseOf packs the kind and the cell of an entry.
func coarseOf(k Kind, p geom.Point) uint32 {
	x := min((int64(p.X)+180*geom.Scale)/coarseXStep, 1<<coarseXBits-1)
	y := min((int64(p.Y)+90*geom.Scale)/coarseYStep, 1<<coarseYBits-1)
	return uint32(k)<<(coarseXBits+coarseYBits) | uint32(max(x, 0))<<coarseYBits | uint32(max(y, 0))
}

// Coarse is the kind of entry id and the middle of its cell.
func (x *Index) Coarse(id uint32) (Kind, geom.Point) {
	v := x.coarse[id]
	return Kind(v >> (coarseXBits + coarseYBits)), geom.Point{
		X: int32(int64(v>>coarseYBits&(1<<coarseXBits-1))*coarseXStep + coarseXStep/2 - 180*geom.Scale),
		Y: int32(int64(v&(1<<coarseYBits-1))*coarseYStep + coarseYStep/2 - 90*geom.Scale),
	}
}

// CoarseKind is the kind of entry id.
func (x *Index) CoarseKind(id uint32) Kind { return Kind(x.coarse[id] >> (coarseXBits + coarseYBits)) }

// RankBound is no less than the importance of entry id, or of any after it.
func (x *Index) RankBound(id uint32) float64 { return float64(x.rankSteps[id/rankStep]) / rankScale }

// SetRank is the importance of the best bearer of a name set; no set after it
// has a better one.
func (x *Index) SetRank(set uint32) float64 { return float64(x.setRanks[set]) / rankScale }

// several stands for the bearers of a name set that are not one entry alone.
const several = ^uint32(0)

// Only is the one entry that a name set finds; ok is false when several bear it, or house
// numbers count along it.
func (x *Index) Only(set uint32) (id uint32, ok bool) {
	id = x.setOnly[set]
	return id, int(id) < len(x.coarse)
}
