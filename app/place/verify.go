package place

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
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
	noFreelist  = ^uint64(0)

	maxDepth = 40       // of the tree; a sound file of any size has a few levels
	maxPage  = 64 << 20 // bytes of one page with its overflow; ours hold a few kB, a freelist a few MB
)

// pageWalk checks a database file without trusting anything in it.
type pageWalk struct {
	r    io.ReaderAt
	size uint64 // of a page
	high uint64 // first page number that is not in use
	seen pageSet
	buf  []byte
}

// pageSet is a bit for each page of the file.
type pageSet []uint64

func (s pageSet) has(id uint64) bool { return s[id/64]>>(id%64)&1 != 0 }
func (s pageSet) add(id uint64)      { s[id/64] |= 1 << (id % 64) }

// verifyUsage walks every page of a database file. It answers nil for a sound
// file, for a missing and for an empty one (bbolt makes those), and an error
// that matches errDamaged for anything bbolt would stumble over.
func verifyUsage(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("usage file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("usage file %s is not a regular file", path)
	}
	if info.Size() == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("usage file: %w", err)
	}
	defer f.Close()
	if err := lockShared(f); err != nil {
		return fmt.Errorf("usage file %s: another process has it open", path)
	}
	return verifyPages(f, info.Size())
}

// verifyPages walks a database of a size in bytes.
func verifyPages(r io.ReaderAt, size int64) error {
	m, err := findMeta(r, size)
	if err != nil {
		return err
	}
	if m.high < 2 || m.high > uint64(size)/m.pageSize {
		return fmt.Errorf("%w: it is cut short, pages are missing at its end", errDamaged)
	}
	w := &pageWalk{r: r, size: m.pageSize, high: m.high, seen: make(pageSet, m.high/64+1)}
	if err := w.tree(m.root, 0, true); err != nil {
		return err
	}
	if m.freelist == noFreelist {
		return nil
	}
	return w.freelist(m.freelist)
}

// metaPage is what the walk needs of a meta page.
type metaPage struct{ pageSize, root, freelist, high, txid uint64 }

// findMeta reads the newer of the two meta pages that are sound. The second one
// lies at the page size, which is only known from a meta page, so the usual
// sizes are tried.
func findMeta(r io.ReaderAt, size int64) (metaPage, error) {
	best, found := readMeta(r, 0)
	for at := int64(1 << 10); at <= 1<<16 && at < size; at <<= 1 {
		m, ok := readMeta(r, at)
		if ok && m.pageSize == uint64(at) && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	if !found {
		return best, fmt.Errorf("%w: it has no readable head, or is no usage file at all", errDamaged)
	}
	return best, nil
}

func readMeta(r io.ReaderAt, at int64) (metaPage, bool) {
	var b [pageHead + metaSize]byte
	if _, err := r.ReadAt(b[:], at); err != nil {
		return metaPage{}, false
	}
	m, le := b[pageHead:], binary.LittleEndian
	sum := fnv.New64a()
	_, _ = sum.Write(m[:56])
	if le.Uint32(m) != metaMagic || le.Uint32(m[4:]) != metaVersion || le.Uint64(m[56:]) != sum.Sum64() {
		return metaPage{}, false
	}
	out := metaPage{
		pageSize: uint64(le.Uint32(m[8:])), root: le.Uint64(m[16:]),
		freelist: le.Uint64(m[32:]), high: le.Uint64(m[40:]), txid: le.Uint64(m[48:]),
	}
	ok := out.pageSize >= 1<<10 && out.pageSize <= 1<<16 && out.pageSize&(out.pageSize-1) == 0
	return out, ok
}

// page reads one page with its overflow into a buffer that the next call uses
// again when the caller does not keep it.
func (w *pageWalk) page(id uint64, buf []byte) ([]byte, uint16, int, error) {
	fail := func(what string) ([]byte, uint16, int, error) {
		return nil, 0, 0, fmt.Errorf("%w: page %d %s", errDamaged, id, what)
	}
	if id < 2 || id >= w.high {
		return fail("lies outside the file")
	}
	if w.seen.has(id) {
		return fail("is used twice")
	}
	var head [pageHead]byte
	if _, err := w.r.ReadAt(head[:], int64(id*w.size)); err != nil {
		return fail("cannot be read: " + err.Error())
	}
	le := binary.LittleEndian
	over := uint64(le.Uint32(head[12:]))
	length := (over + 1) * w.size
	if le.Uint64(head[:]) != id || over >= w.high-id || length > maxPage {
		return fail("has a wrong head")
	}
	for n := id; n <= id+over; n++ {
		if w.seen.has(n) {
			return fail("overlaps another")
		}
		w.seen.add(n)
	}
	if uint64(cap(buf)) < length {
		buf = make([]byte, length)
	}
	buf = buf[:length]
	if _, err := w.r.ReadAt(buf, int64(id*w.size)); err != nil {
		return fail("cannot be read: " + err.Error())
	}
	return buf, le.Uint16(head[8:]), int(le.Uint16(head[10:])), nil
}

// tree checks the tree below a page. Only the root bucket holds buckets.
func (w *pageWalk) tree(id uint64, depth int, root bool) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: its tree is too deep", errDamaged)
	}
	b, flags, count, err := w.page(id, w.buf)
	if err != nil {
		return err
	}
	if flags == flagLeaf {
		if !root {
			w.buf = b // leaves of a plain bucket end the walk, so the buffer is free again
			return w.leaf(id, b, count, nil)
		}
		b = append([]byte(nil), b...)
		return w.leaf(id, b, count, func(v []byte) error { return w.bucket(id, v) })
	}
	if flags != flagBranch || count == 0 || pageHead+count*elementSize > len(b) {
		return fmt.Errorf("%w: page %d is neither branch nor leaf", errDamaged, id)
	}
	children := make([]uint64, count)
	for i := range children {
		e := b[pageHead+i*elementSize:]
		if uint64(binary.LittleEndian.Uint32(e))+uint64(binary.LittleEndian.Uint32(e[4:])) > uint64(len(e)) {
			return fmt.Errorf("%w: page %d has a key outside itself", errDamaged, id)
		}
		children[i] = binary.LittleEndian.Uint64(e[8:])
	}
	for _, child := range children {
		if err := w.tree(child, depth+1, root); err != nil {
			return err
		}
	}
	return nil
}

// leaf checks the elements of a leaf. sub is called for each bucket in it; nil
// means that there may be none.
func (w *pageWalk) leaf(id uint64, b []byte, count int, sub func([]byte) error) error {
	if pageHead+count*elementSize > len(b) {
		return fmt.Errorf("%w: page %d holds more than fits", errDamaged, id)
	}
	le := binary.LittleEndian
	for i := range count {
		e := b[pageHead+i*elementSize:]
		pos, ksize, vsize := uint64(le.Uint32(e[4:])), uint64(le.Uint32(e[8:])), uint64(le.Uint32(e[12:]))
		if pos+ksize+vsize > uint64(len(e)) {
			return fmt.Errorf("%w: page %d has a value outside itself", errDamaged, id)
		}
		switch isBucket := le.Uint32(e)&1 != 0; {
		case isBucket && sub == nil:
			return fmt.Errorf("%w: page %d holds a bucket where none belongs", errDamaged, id)
		case isBucket:
			if err := sub(e[pos+ksize : pos+ksize+vsize]); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucket checks a bucket's record: the root page of its own tree, or the only
// leaf of it right there.
func (w *pageWalk) bucket(id uint64, v []byte) error {
	if len(v) < pageHead {
		return fmt.Errorf("%w: page %d holds half a bucket", errDamaged, id)
	}
	if root := binary.LittleEndian.Uint64(v); root != 0 {
		return w.tree(root, 1, false)
	}
	inline := v[pageHead:]
	if len(inline) < pageHead || binary.LittleEndian.Uint16(inline[8:]) != flagLeaf {
		return fmt.Errorf("%w: page %d holds half a bucket", errDamaged, id)
	}
	return w.leaf(id, inline, int(binary.LittleEndian.Uint16(inline[10:])), nil)
}

// freelist checks the list of free pages: inside the file, and free.
func (w *pageWalk) freelist(id uint64) error {
	b, flags, count, err := w.page(id, nil)
	if err != nil {
		return err
	}
	if flags != flagFreelist {
		return fmt.Errorf("%w: page %d is not the list of free pages", errDamaged, id)
	}
	ids := b[pageHead:]
	n := uint64(count)
	if n == 0xFFFF { // the real count stands in front
		n, ids = binary.LittleEndian.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids))/8 {
		return fmt.Errorf("%w: its list of free pages is too long", errDamaged)
	}
	for i := range n {
		free := binary.LittleEndian.Uint64(ids[i*8:])
		if free < 2 || free >= w.high || w.seen.has(free) {
			return fmt.Errorf("%w: page %d is in use and free", errDamaged, free)
		}
		w.seen.add(free)
	}
	return nil
}
