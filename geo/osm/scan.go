package osm

import (
	"context"
	"runtime"
	"sync"
)

// Scan reads the blocks of f that can hold one of the wanted kinds.
//
// work runs for each block on GOMAXPROCS goroutines at once; it sees only
// objects of the wanted kinds, and must not keep the Block (see Block). collect
// receives the results of work in the order of the file, on the goroutine of
// the caller; it may be nil. Blocks without a wanted object are passed over.
// Results waiting for collect are bounded by a few per worker.
//
// progress may be nil; it is called on the goroutine of the caller with the
// number of bytes of the file that are done, growing up to f.Size().
//
// Scan stops at the first error in the order of the file: its own
// (*FormatError for bad content), of work, of collect, or of ctx. No function
// runs any more once it has returned.
func Scan[T any](ctx context.Context, f *File, want Kinds, progress func(done int64),
	work func(*Block) (T, error), collect func(T) error) error {
	p, err := f.plan(want)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := max(1, min(runtime.GOMAXPROCS(0), len(p.blobs)))
	s := &scan[T]{
		file: f, want: want, plan: p, work: work,
		jobs:  make(chan job[T]),
		order: make(chan job[T], 2*workers),
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // before the wait
	for range workers {
		running.Go(s.run)
	}
	running.Go(func() { s.feed(ctx) })
	return s.gather(ctx, progress, collect)
}

// scan is one Scan under way. feed hands each blob to gather, for the order,
// and to one of the workers.
type scan[T any] struct {
	file  *File
	want  Kinds
	plan  plan
	work  func(*Block) (T, error)
	jobs  chan job[T]
	order chan job[T]
}

// job is one blob; its result arrives on done, which has room for it, so that
// a worker never waits for the collector.
type job[T any] struct {
	blob int
	done chan result[T]
}

type result[T any] struct {
	value T
	some  bool // work ran
	err   error
}

func (s *scan[T]) feed(ctx context.Context) {
	defer close(s.jobs)
	defer close(s.order)
	for _, i := range s.plan.blobs {
		j := job[T]{blob: int(i), done: make(chan result[T], 1)}
		select {
		case s.order <- j:
		case <-ctx.Done():
			return
		}
		select {
		case s.jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

func (s *scan[T]) run() {
	r := reader{file: s.file}
	defer r.close()
	for j := range s.jobs {
		j.done <- s.one(&r, j.blob)
	}
}

func (s *scan[T]) one(r *reader, i int) (res result[T]) {
	kinds, err := r.read(i, s.want)
	if err == nil {
		err = s.file.contradicts(s.plan.split, i, kinds)
	}
	if err != nil || kinds&s.want == 0 {
		res.err = err
		return res
	}
	res.some = true
	res.value, res.err = s.work(&r.dec.block)
	return res
}

func (s *scan[T]) gather(ctx context.Context, progress func(int64), collect func(T) error) error {
	for j := range s.order {
		var res result[T]
		select {
		case res = <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if res.err == nil && res.some && collect != nil {
			res.err = collect(res.value)
		}
		if res.err != nil {
			return res.err
		}
		if progress != nil {
			b := &s.file.blobs[j.blob]
			progress(b.body + int64(b.size))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if progress != nil {
		progress(s.file.size)
	}
	return nil
}

// reader reads blobs of one file. It serves one goroutine.
type reader struct {
	file *File
	un   unpacker
	dec  decoder
}

func (r *reader) close() { r.un.close() }

// read decodes the wanted kinds of blob i into r.dec.block and gives the kinds
// that it holds at all.
func (r *reader) read(i int, want Kinds) (Kinds, error) {
	b := &r.file.blobs[i]
	data, err := r.file.load(b.body, b.size, &r.un)
	if err != nil {
		return 0, r.file.at(b.start, err)
	}
	kinds, err := r.dec.decode(data, want)
	if err != nil {
		return 0, r.file.at(b.start, err)
	}
	b.learn(kinds)
	return kinds, nil
}
