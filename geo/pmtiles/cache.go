package pmtiles

import (
	"sync"
	"sync/atomic"
)

// maxCached bounds the leaf directories that are kept decoded, in bytes: about
// 2.8 million entries, which is every directory of a large country.
const maxCached = 64 << 20

// cache keeps decoded leaf directories. Those that were not asked for since the
// last round go first (the clock algorithm), so that a walk over the whole world
// does not push out what everybody looks at.
type cache struct {
	limit int

	mu     sync.RWMutex
	leaves map[span]*cached
	order  []span // the clock's face
	hand   int
	bytes  int
}

type cached struct {
	*directory
	asked atomic.Bool
}

func newCache(limit int) *cache { return &cache{limit: limit, leaves: map[span]*cached{}} }

func (c *cache) get(at span) *directory {
	c.mu.RLock()
	defer c.mu.RUnlock()
	leaf := c.leaves[at]
	if leaf == nil {
		return nil
	}
	if !leaf.asked.Load() { // a store would take the line from the other core
		leaf.asked.Store(true)
	}
	return leaf.directory
}

// put keeps d, and lets others go until all fit. One that never fits is not kept.
func (c *cache) put(at span, d *directory) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leaves[at] != nil || d.bytes() > c.limit {
		return
	}
	for c.bytes+d.bytes() > c.limit {
		c.drop()
	}
	c.leaves[at] = &cached{directory: d}
	c.order = append(c.order, at)
	c.bytes += d.bytes()
}

// drop moves the hand to the next leaf that was not asked for and lets it go.
func (c *cache) drop() {
	for {
		c.hand %= len(c.order)
		at := c.order[c.hand]
		leaf := c.leaves[at]
		if leaf.asked.CompareAndSwap(true, false) {
			c.hand++
			continue
		}
		delete(c.leaves, at)
		c.bytes -= leaf.bytes()
		c.order[c.hand] = c.order[len(c.order)-1]
		c.order = c.order[:len(c.order)-1]
		return
	}
}
