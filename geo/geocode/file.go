package geocode

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/geo/buildkit"
	"svc/geo/search"
)

// File is a CSV file of questions to be answered row by row.
type File struct {
	In      io.Reader         // UTF-8, with a header
	Size    int64             // bytes of In, for the progress
	Comma   rune              // between cells, in and out
	Out     string            // path of the answers
	Columns map[string]string // header of a field, where its name does not tell
	Lang    string
	Layout  bool // read what finds nothing as typed on a Russian keyboard
	// Mark stands for everything that the answers depend on: input, map, options. What
	// was begun with another mark is not continued.
	Mark     string
	Restart  bool // forget what was begun
	Engine   *search.Engine
	Progress buildkit.Progress
}

// Report counts what was done.
type Report struct {
	Rows    int            // all rows, those of earlier runs included
	Resumed int            // of them answered by earlier runs
	Reasons map[string]int // rows of this run by reason
	Seconds float64
}

// chunk is how many rows are answered side by side and written together. After a kill
// at most these are asked again.
const chunk = 1024

// maxRecord is the longest row, in bytes: a quote that is never closed must not take
// the whole file into memory.
const maxRecord = 1 << 20

var errLong = errors.New("a row is longer than 1 MiB: a quote is not closed")

// Run answers the file. What is done stands in Out.part, which the next run with the
// same mark continues, whatever ended this one; Out appears when it is whole.
func (f *File) Run(ctx context.Context) (r Report, err error) {
	begin := time.Now()
	in := newReader(f.In, f.Comma)
	header, err := in.row()
	if err != nil {
		return r, fmt.Errorf("the first row, which names the columns: %w", err)
	}
	at, err := columnsOf(header, f.Columns)
	if err != nil {
		return r, err
	}
	part, done, err := openPart(f.Out, f.Mark, f.Comma, f.Restart)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, part.close()) }()
	if done == 0 {
		if err := part.write([][]string{append(header, FoundColumns...)}); err != nil {
			return r, err
		}
		done = 1
	}
	r = Report{Rows: done - 1, Resumed: done - 1, Reasons: map[string]int{}}
	f.Progress.Stage("geocode", f.Size)
	defer f.Progress.Done()
	for range r.Resumed {
		if _, err := in.row(); err != nil {
			return r, fmt.Errorf("skip what is answered: %w", err)
		}
	}
	reported := in.offset()
	f.Progress.Add(reported)
	g := New(f.Engine)
	for {
		rows, end, err := in.rows(chunk)
		if err != nil {
			return r, fmt.Errorf("row %d: %w", r.Rows+len(rows)+2, err)
		}
		reasons, err := f.answer(ctx, g, at, len(header), rows)
		if err != nil {
			return r, fmt.Errorf("stopped after %d rows; the same command goes on from there: %w", r.Rows, err)
		}
		if err := part.write(rows); err != nil {
			return r, err
		}
		for _, reason := range reasons {
			r.Reasons[reason]++
		}
		r.Rows += len(rows)
		f.Progress.Add(in.offset() - reported)
		reported = in.offset()
		if end {
			break
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, part.finish()
}

// answer adds the found columns to each row, on all cores.
func (f *File) answer(ctx context.Context, g *Geocoder, at columns, width int, rows [][]string) ([]string, error) {
	reasons := make([]string, len(rows))
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() error {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // the map is mapped into memory
			for i := w; i < len(rows); i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				q, fields := at.question(rows[i], f.Lang)
				q.Layout = f.Layout
				cells, reason := g.answered(q, fields)
				for len(rows[i]) < width {
					rows[i] = append(rows[i], "")
				}
				rows[i], reasons[i] = append(rows[i][:width:width], cells...), reason
			}
			return nil
		})
	}
	return reasons, group.Wait()
}

// reader reads rows without holding more than one record beyond what it gives.
type reader struct {
	*csv.Reader
	from *bounded
}

func newReader(in io.Reader, comma rune) *reader {
	r := &reader{from: &bounded{in: in}}
	r.Reader = csv.NewReader(r.from)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	return r
}

func (r *reader) offset() int64 { return r.InputOffset() }

func (r *reader) row() ([]string, error) {
	r.from.limit = r.InputOffset() + maxRecord
	return r.Read()
}

// rows reads up to n; end when there are no more.
func (r *reader) rows(n int) (rows [][]string, end bool, err error) {
	for len(rows) < n {
		row, err := r.row()
		if errors.Is(err, io.EOF) {
			return rows, true, nil
		}
		if err != nil {
			return rows, false, err
		}
		rows = append(rows, row)
	}
	return rows, false, nil
}

// bounded hands on a file as far as limit.
type bounded struct {
	in           io.Reader
	given, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.given >= b.limit {
		return 0, errLong
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.limit-b.given)])
	b.given += int64(n)
	return n, err
}
