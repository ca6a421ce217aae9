// Package pages walks the pages of a bbolt file without trusting anything in it.
//
// It promises that a damaged file is an error that matches ErrDamaged, in bounded memory and
// time, whatever its bytes are. It refuses to mend: it only reads, and knows no transactions.
package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
)

// The page format of bbolt, version 2, little-endian as on every machine this
// runs on: a 16-byte header (id 8, flags 2, count 2, overflow 4), then 16-byte
// elements. Branch element: pos 4, key size 4, page 8. Leaf element: flags 4,
// pos 4, key size 4, value size 4; pos counts from the element itself.
const (
	pageHead    = 16
	elementSize = 16
	metaSize    = 64

	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagFreelist = 0x10

	metaMagic   = 0xED0CDAED
	metaVersion = 2

	// NoFreelist stands where a file keeps no list of its free pages.
	NoFreelist = ^uint64(0)

	maxDepth = 40 // of the tree; a sound file of any size has a few levels

	// MaxPage is how many bytes one page with its overflow may have.
	MaxPage = 1 << 30
)

// ErrDamaged is matched by every error that says a file must not be used further.
var ErrDamaged = errors.New("the database file is damaged")

// Verify walks a bbolt database of a size in bytes without trusting anything
// in it: bbolt itself trusts its pages, so that a damaged file could make it
// recurse without end or fail where nothing can be caught. With full false, the
// tree is walked only when bbolt will walk it too: when the file has no list of its
// free pages. Errors match ErrDamaged.
func Verify(r io.ReaderAt, size int64, full bool) error {
	return VerifyUpTo(r, size, full, MaxPage)
}

// VerifyUpTo is Verify with another bound for one page with its overflow,
// in bytes: what it may take in memory.
func VerifyUpTo(r io.ReaderAt, size int64, full bool, most uint64) error {
	_, err := VerifyCount(r, size, full, most)
	return err
}

// VerifyCount is VerifyUpTo, and counts the free pages.
func VerifyCount(r io.ReaderAt, size int64, full bool, most uint64) (free uint64, err error) {
	m, err := FindMeta(r, size)
	if err != nil {
		return 0, err
	}
	if m.High < 2 || m.High > uint64(size)/m.PageSize {
		return 0, fmt.Errorf("%w: it is cut short, pages are missing at its end", ErrDamaged)
	}
	w := &pageWalk{r: r, size: m.PageSize, high: m.High, most: most, seen: make(pageSet, m.High/64+1)}
	if full || m.Freelist == NoFreelist {
		if err := w.tree(m.root, 0, true); err != nil {
			return 0, err
		}
	}
	if m.Freelist == NoFreelist {
		return m.High - 2 - w.seen.count(), nil
	}
	return w.freelist(m.Freelist)
}

// Meta is what the walk needs of a meta page.
type Meta struct{ PageSize, root, Freelist, High, txid uint64 }

// FindMeta reads the newer of the two meta pages that are sound. The second one
// lies at the page size, which is only known from a meta page, so the usual
// sizes are tried.
func FindMeta(r io.ReaderAt, size int64) (Meta, error) {
	best, found := readMeta(r, 0)
	for at := int64(1 << 10); at <= 1<<16 && at < size; at <<= 1 {
		m, ok := readMeta(r, at)
		if ok && m.PageSize == uint64(at) && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	if !found {
		return best, fmt.Errorf("%w: it has no readable head, or is no database at all", ErrDamaged)
	}
	return best, nil
}

func readMeta(r io.ReaderAt, at int64) (Meta, bool) {
	var b [pageHead + metaSize]byte
	if _, err := r.ReadAt(b[:], at); err != nil {
		return Meta{}, false
	}
	m, le := b[pageHead:], binary.LittleEndian
	sum := fnv.New64a()
	_, _ = sum.Write(m[:56])
	if le.Uint32(m) != metaMagic || le.Uint32(m[4:]) != metaVersion || le.Uint64(m[56:]) != sum.Sum64() {
		return Meta{}, false
	}
	out := Meta{
		PageSize: uint64(le.Uint32(m[8:])), root: le.Uint64(m[16:]),
		Freelist: le.Uint64(m[32:]), High: le.Uint64(m[40:]), txid: le.Uint64(m[48:]),
	}
	ok := out.PageSize >= 1<<10 && out.PageSize <= 1<<16 && out.PageSize&(out.PageSize-1) == 0
	return out, ok
}

// pageSet is a bit for each page of the file.
type pageSet []uint64

func (s pageSet) has(id uint64) bool { return s[id/64]>>(id%64)&1 != 0 }
func (s pageSet) add(id uint64)      { s[id/64] |= 1 << (id % 64) }

func (s pageSet) count() (n uint64) {
	for _, x := range s {
		n += uint64(bits.OnesCount64(x))
	}
	return n
}

type pageWalk struct {
	r    io.ReaderAt
	size uint64 // of a page
	high uint64 // first page number that is not in use
	most uint64 // bytes of one page with its overflow
	seen pageSet
	buf  []byte // of the leaf that is looked at
}

func (w *pageWalk) wrong(id uint64, what string) error {
	return fmt.Errorf("%w: page %d %s", ErrDamaged, id, what)
}

// onePage is a page with its overflow, in memory.
type onePage struct {
	id    uint64
	flags uint16
	count int
	b     []byte
}

// page reads a page into a buffer, which is replaced when it is too small.
func (w *pageWalk) page(id uint64, buf []byte) (p onePage, err error) {
	if id < 2 || id >= w.high {
		return p, w.wrong(id, "lies outside the file")
	}
	var head [pageHead]byte
	if _, err := w.r.ReadAt(head[:], int64(id*w.size)); err != nil {
		return p, w.wrong(id, "cannot be read: "+err.Error())
	}
	le := binary.LittleEndian
	over := uint64(le.Uint32(head[12:]))
	length := (over + 1) * w.size
	if le.Uint64(head[:]) != id || over >= w.high-id || length > w.most {
		return p, w.wrong(id, "has a wrong head")
	}
	for n := id; n <= id+over; n++ {
		if w.seen.has(n) {
			return p, w.wrong(n, "is used twice")
		}
		w.seen.add(n)
	}
	if uint64(cap(buf)) < length {
		buf = make([]byte, length)
	}
	buf = buf[:length]
	if _, err := w.r.ReadAt(buf, int64(id*w.size)); err != nil {
		return p, w.wrong(id, "cannot be read: "+err.Error())
	}
	return onePage{id, le.Uint16(head[8:]), int(le.Uint16(head[10:])), buf}, nil
}

// tree checks the tree below a page. Only the root bucket holds buckets.
func (w *pageWalk) tree(id uint64, depth int, root bool) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: its tree is too deep", ErrDamaged)
	}
	buf := w.buf
	if root {
		buf = nil // its leaves are still needed while the trees below them are walked
	}
	p, err := w.page(id, buf)
	if err != nil {
		return err
	}
	if !root {
		w.buf = p.b
	}
	if p.flags == flagLeaf {
		return w.leaf(p, root)
	}
	children, err := w.branch(p)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := w.tree(child, depth+1, root); err != nil {
			return err
		}
	}
	return nil
}

// branch gives the pages below one. They outlive the buffer of the page.
func (w *pageWalk) branch(p onePage) ([]uint64, error) {
	if p.flags != flagBranch || p.count == 0 || pageHead+p.count*elementSize > len(p.b) {
		return nil, w.wrong(p.id, "is neither branch nor leaf")
	}
	children := make([]uint64, p.count)
	for i := range children {
		e := p.b[pageHead+i*elementSize:]
		if uint64(binary.LittleEndian.Uint32(e))+uint64(binary.LittleEndian.Uint32(e[4:])) > uint64(len(e)) {
			return nil, w.wrong(p.id, "has a key outside itself")
		}
		children[i] = binary.LittleEndian.Uint64(e[8:])
	}
	return children, nil
}

// leaf checks the elements of a leaf, and the trees of the buckets in it.
func (w *pageWalk) leaf(p onePage, root bool) error {
	if pageHead+p.count*elementSize > len(p.b) {
		return w.wrong(p.id, "holds more than fits")
	}
	le := binary.LittleEndian
	for i := range p.count {
		e := p.b[pageHead+i*elementSize:]
		pos, ksize, vsize := uint64(le.Uint32(e[4:])), uint64(le.Uint32(e[8:])), uint64(le.Uint32(e[12:]))
		if pos+ksize+vsize > uint64(len(e)) {
			return w.wrong(p.id, "has a value outside itself")
		}
		if le.Uint32(e)&1 == 0 {
			continue
		}
		if !root {
			return w.wrong(p.id, "holds a bucket where none belongs")
		}
		if err := w.bucket(p.id, e[pos+ksize:pos+ksize+vsize]); err != nil {
			return err
		}
	}
	return nil
}

// bucket checks a bucket's record: the root page of its own tree, or the only
// leaf of it right there.
func (w *pageWalk) bucket(id uint64, v []byte) error {
	if len(v) < pageHead {
		return w.wrong(id, "holds half a bucket")
	}
	if root := binary.LittleEndian.Uint64(v); root != 0 {
		return w.tree(root, 1, false)
	}
	inline := v[pageHead:]
	if len(inline) < pageHead || binary.LittleEndian.Uint16(inline[8:]) != flagLeaf {
		return w.wrong(id, "holds half a bucket")
	}
	return w.leaf(onePage{id, flagLeaf, int(binary.LittleEndian.Uint16(inline[10:])), inline}, false)
}

// freelist checks the list of free pages: inside the file, and free. It answers how
// many there are.
func (w *pageWalk) freelist(id uint64) (n uint64, err error) {
	p, err := w.page(id, nil)
	if err != nil {
		return 0, err
	}
	if p.flags != flagFreelist {
		return 0, w.wrong(id, "is not the list of free pages")
	}
	ids := p.b[pageHead:]
	n = uint64(p.count)
	if n == 0xFFFF { // the real count stands in front
		n, ids = binary.LittleEndian.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids))/8 {
		return 0, fmt.Errorf("%w: its list of free pages is too long", ErrDamaged)
	}
	for i := range n {
		free := binary.LittleEndian.Uint64(ids[i*8:])
		if free < 2 || free >= w.high || w.seen.has(free) {
			return 0, w.wrong(free, "is in use and free")
		}
		w.seen.add(free)
	}
	return n, nil
}
