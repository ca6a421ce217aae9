package osm

import "fmt"

// split tells where a sorted file passes from nodes to ways and from ways to
// relations: ways is the first blob that holds ways or relations, relations the
// first that holds relations. Either is the number of blobs when there is none.
type split struct{ ways, relations int }

// allowed gives the kinds blob i may hold if the file is sorted.
func (s split) allowed(i int) Kinds {
	var k Kinds
	if i <= s.ways {
		k |= Nodes
	}
	if i >= s.ways && i <= s.relations {
		k |= Ways
	}
	if i >= s.relations {
		k |= Relations
	}
	return k
}

// plan is what one Scan will read.
type plan struct {
	blobs []int32 // in the order of the file
	split *split  // set when blobs were left out because the file is sorted
}

// plan chooses the blobs that can hold one of the wanted kinds. A blob that was
// looked into before is known exactly. In a sorted file the border blobs are
// found by bisection; otherwise unknown blobs are all read, and known after that.
func (f *File) plan(want Kinds) (plan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var p plan
	if f.sorted && want&allKinds != allKinds && !f.allKnown() {
		if err := f.bisect(); err != nil {
			return p, err
		}
		p.split = f.split
	}
	for i := range f.blobs {
		kinds, seen := f.blobs[i].holds()
		if !seen {
			kinds = allKinds
			if p.split != nil {
				kinds = p.split.allowed(i)
			}
		}
		if kinds&want != 0 {
			p.blobs = append(p.blobs, int32(i))
		}
	}
	return p, nil
}

func (f *File) allKnown() bool {
	for i := range f.blobs {
		if _, seen := f.blobs[i].holds(); !seen {
			return false
		}
	}
	return true
}

// bisect finds the split, looking into about 2·log2(blobs) of them. It leaves it
// nil when the file turns out not to be sorted.
func (f *File) bisect() error {
	if f.split != nil {
		return nil
	}
	var (
		r = reader{file: f}
		s split
	)
	defer r.close()
	var err error
	if s.ways, err = r.first(0, Ways|Relations); err != nil {
		return err
	}
	if s.relations, err = r.first(s.ways, Relations); err != nil {
		return err
	}
	// No Scan relied on the split yet: if already the blobs seen so far belie
	// it, all blobs are read instead.
	for i := range f.blobs {
		if kinds, seen := f.blobs[i].holds(); seen && kinds&^s.allowed(i) != 0 {
			f.sorted = false
			return nil
		}
	}
	f.split = &s
	return nil
}

// first gives the first blob from low on that holds one of the kinds, in a file
// where all blobs after it do so too, except empty ones.
func (r *reader) first(low int, kinds Kinds) (int, error) {
	high := len(r.file.blobs)
	for low < high {
		mid := low + (high-low)/2
		at, holds, err := r.full(mid, high)
		if err != nil {
			return 0, err
		}
		if at < high && holds&kinds == 0 {
			low = at + 1
		} else {
			high = mid
		}
	}
	// What bisection gives may be an empty blob before the right one.
	at, _, err := r.full(low, len(r.file.blobs))
	return at, err
}

// full gives the first blob in [i, end) that holds anything, and what.
func (r *reader) full(i, end int) (int, Kinds, error) {
	for ; i < end; i++ {
		kinds, seen := r.file.blobs[i].holds()
		if !seen {
			var err error
			if kinds, err = r.read(i, 0); err != nil {
				return i, 0, err
			}
		}
		if kinds != 0 {
			return i, kinds, nil
		}
	}
	return end, 0, nil
}

// contradicts checks blob i, which holds the kinds, against the split.
func (f *File) contradicts(s *split, i int, kinds Kinds) error {
	if s == nil || kinds&^s.allowed(i) == 0 {
		return nil
	}
	f.mu.Lock()
	f.sorted, f.split = false, nil
	f.mu.Unlock()
	return f.at(f.blobs[i].start, &problem{
		what:   fmt.Sprintf("the header claims the order nodes, ways, relations, but the block holds %s out of that order", kinds&^s.allowed(i)),
		advice: adviceSort,
		cause:  ErrUnsorted,
	})
}

// String lists the kinds in words, for messages.
func (k Kinds) String() string {
	out := ""
	for i, name := range []string{"nodes", "ways", "relations"} {
		if k&(1<<i) == 0 {
			continue
		}
		if out != "" {
			out += ", "
		}
		out += name
	}
	if out == "" {
		return "nothing"
	}
	return out
}
