package kv

import bolt "go.etcd.io/bbolt"

// bbolt needs to know which pages are free. Either a commit writes their list, or the next
// start after a kill walks the whole file to find them: a second and a half for a million
// recipients. The last commit of a checkpoint writes it, the others while the free pages
// are few. Kept as an array it costs little; kept as a map it is sorted each time.
const (
	// maxListed is how many free pages each commit to the tree lists: 128 KiB.
	maxListed = 1 << 14
	// maxArray is how many free pages are kept as an array. With more, 512 MiB, a map
	// is faster: it does not copy the rest for each page that comes or goes.
	maxArray = 1 << 17
)

// freelistFor is how to keep a number of free pages.
func freelistFor(free uint64) bolt.FreelistType {
	if free > maxArray {
		return bolt.FreelistMapType
	}
	return bolt.FreelistArrayType
}
