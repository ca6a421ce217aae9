package tilebuild

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"

	"svc/geo/pmtiles"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// job is a number of tiles that are encoded together, by one worker.
type job struct {
	data  []byte // records, one behind the other
	ends  []int  // of the records in data
	tiles []jobTile
	taken int64 // records that were used up for it
	out   []product
	err   error
	done  chan struct{}
}

// jobTile is a tile, or a run of tiles that are all the same.
type jobTile struct {
	code, count uint32
	records     int // where its records end
}

// product is a tile that is ready.
type product struct {
	packed []byte
	raw    int
}

const (
	jobBytes = 256 << 10
	jobTiles = 512
)

// Add is tilesort.Sink.Add.
func (j *job) Add(record []byte) {
	j.data = append(j.data, record...)
	j.ends = append(j.ends, len(j.data))
}

// Close is tilesort.Sink.Close.
func (j *job) Close(code, count uint32) {
	j.tiles = append(j.tiles, jobTile{code, count, len(j.ends)})
}

func (j *job) full() bool { return len(j.data) >= jobBytes || len(j.tiles) >= jobTiles }

// encode makes the tiles of a job.
func (j *job) encode(e *encoder) {
	var records [][]byte
	from, at := 0, 0
	for _, t := range j.tiles {
		records = records[:0]
		for ; at < t.records; at++ {
			records = append(records, j.data[from:j.ends[at]])
			from = j.ends[at]
		}
		id := tile.FromCode(uint64(t.code))
		packed, raw, err := e.encode(id.Z, records)
		if err != nil {
			j.err = fmt.Errorf("pack tile %v: %w", id, err)
			return
		}
		j.out = append(j.out, product{packed, raw})
	}
	j.data, j.ends = nil, nil
}

// writeTiles merges the records, encodes the tiles on all cores and writes them
// in their order.
func (b *builder) writeTiles(ctx context.Context, f *os.File) error {
	b.progress.Stage("write tiles", b.sort.Records())
	w, err := pmtiles.NewWriter(f)
	if err != nil {
		return err
	}
	m, err := tilesort.NewMerger(b.sort.Streams(), coverage)
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	p := pipeline{jobs: make(chan *job), order: make(chan *job, 2*workers), stop: make(chan struct{})}
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			e := newEncoder(b.tags)
			e.ended = func() bool { return ctx.Err() != nil }
			for j := range p.jobs {
				j.encode(e)
				close(j.done)
			}
		})
	}
	running.Go(func() { p.err = p.feed(m) })
	err = b.collect(ctx, &p, w)
	close(p.stop)
	running.Wait()
	if err == nil {
		err = p.err
	}
	if err != nil {
		return err
	}
	return w.Finish(b.describe())
}

// pipeline carries jobs to the workers, and in their order to the writer.
type pipeline struct {
	jobs  chan *job
	order chan *job
	stop  chan struct{}
	err   error
}

func (p *pipeline) feed(m *tilesort.Merger) error {
	defer close(p.jobs)
	defer close(p.order)
	for {
		j := &job{done: make(chan struct{})}
		more, before := true, m.Taken()
		for more && !j.full() {
			var err error
			if more, err = m.Run(j); err != nil {
				return err
			}
		}
		if len(j.tiles) == 0 {
			return nil
		}
		j.taken = m.Taken() - before
		for _, to := range []chan *job{p.order, p.jobs} {
			select {
			case to <- j:
			case <-p.stop:
				return nil
			}
		}
	}
}

// collect writes the tiles as they are ready.
func (b *builder) collect(ctx context.Context, p *pipeline, w *pmtiles.Writer) error {
	for j := range p.order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return j.err
		}
		for i, t := range j.tiles {
			if len(j.out[i].packed) == 0 {
				continue
			}
			id := tile.FromCode(uint64(t.code))
			if err := w.AddRun(id, t.count, j.out[i].packed); err != nil {
				return err
			}
			b.report.count(id, t.count, j.out[i])
		}
		b.progress.Add(j.taken)
	}
	return ctx.Err()
}
