package geocode

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// part is the file of answers while it grows. Beside it stands its mark, written
// before the first row.
type part struct {
	out  string
	file *os.File
	csv  *csv.Writer
}

func (p *part) mark() string { return p.out + ".part.mark" }

// openPart opens what an earlier run left and cuts off a row that is not whole. done
// is how many rows it has, the header included. Two runs of one output at a time are
// refused.
func openPart(out, mark string, comma rune, restart bool) (p *part, done int, err error) {
	file, err := os.OpenFile(out+".part", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	p = &part{out: out, file: file}
	if err := syscall.Flock(int(p.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, 0, fmt.Errorf("%s.part is being written by another process", out)
	}
	before, err := os.ReadFile(p.mark())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	whole := int64(0)
	if err == nil && !restart {
		if string(before) != mark {
			return nil, 0, fmt.Errorf("%s.part was begun with another input, map or options; --restart forgets it", out)
		}
		if whole, done, err = wholeRows(p.file, comma); err != nil {
			return nil, 0, err
		}
	}
	if err := p.file.Truncate(whole); err != nil {
		return nil, 0, err
	}
	if _, err := p.file.Seek(whole, io.SeekStart); err != nil {
		return nil, 0, err
	}
	if done == 0 {
		if err := os.WriteFile(p.mark(), []byte(mark), 0o600); err != nil {
			return nil, 0, err
		}
	}
	p.csv = csv.NewWriter(p.file)
	p.csv.Comma = comma
	return p, done, nil
}

// wholeRows counts the rows that end in a line break, and their bytes.
func wholeRows(f *os.File, comma rune) (bytes int64, rows int, err error) {
	in := csv.NewReader(f)
	in.Comma, in.ReuseRecord, in.FieldsPerRecord = comma, true, -1
	last := make([]byte, 1)
	for {
		_, err := in.Read()
		if cut := (*csv.ParseError)(nil); errors.Is(err, io.EOF) || errors.As(err, &cut) {
			return bytes, rows, nil // the end, or the row that a kill cut
		}
		if err != nil {
			return 0, 0, err
		}
		end := in.InputOffset()
		if _, err := f.ReadAt(last, end-1); err != nil {
			return 0, 0, err
		}
		if last[0] != '\n' {
			return bytes, rows, nil
		}
		bytes, rows = end, rows+1
	}
}

func (p *part) write(rows [][]string) error {
	if err := p.csv.WriteAll(rows); err != nil { // it flushes
		return fmt.Errorf("write %s.part: %w", p.out, err)
	}
	return nil
}

// finish makes the part the output.
func (p *part) finish() error {
	if err := p.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(p.out+".part", p.out); err != nil {
		return err
	}
	return os.Remove(p.mark())
}

func (p *part) close() error { return p.file.Close() }
