package kv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"svc/store/kv/files"
)

// A commit is durable when its record is at the end of the log: one write and one flush of
// some kilobytes, where a commit to the tree rewrites a page for each key and each page
// above it. A checkpoint moves what the log holds into the tree.
//
// There are two log files beside the database. While a checkpoint moves what is in one of
// them, commits go into the other; then the first is used again, from its beginning,
// under the next number. A record carries the number of its log, so that what stood there
// before is not taken for one.
//
//	head    8 bytes of magic, the lineage of the database (16 bytes), the number of the
//	        log (8), a checksum of these (4): less than a sector, so it is written whole
//	record  the length of the content (4), a checksum (4) of the number of the log, the
//	        number of the record and the content, the number of the record (8), the content,
//	        zeroes up to a multiple of 8
const (
	logMagic    = "svc log1"
	logHead     = 64
	recordHead  = 16
	logGrowth   = 1 << 20 // bytes by which a log grows: a flush then has no new length to write
	maxRecord   = 1 << 29 // bytes of a record
	maxLogFound = 1 << 30 // bytes of a log that are read at a start
)

var checksums = crc32.MakeTable(crc32.Castagnoli)

// lineage tells the logs of a database from those of another, and from those of its own
// before a backup of it was restored.
type lineage [16]byte

// Logs are the names of the log files of a database. They are part of it: a copy of the
// database file alone is whole only when it was closed, or made by Backup.
func Logs(path string) []string { return []string{path + ".log0", path + ".log1"} }

// logName is the file of the log with a number.
func logName(path string, number uint64) string { return Logs(path)[number%2] }

// commitLog is the log that commits are appended to.
type commitLog struct {
	f      *os.File
	number uint64
	next   uint64 // number of the next record
	end    int64  // where it goes
	size   int64  // of the file
	buf    []byte
}

// newLog begins a log. Nothing of an older one of its file is valid afterwards.
func newLog(path string, l lineage, number uint64) (*commitLog, error) {
	name := logName(path, number)
	_, err := os.Lstat(name)
	fresh := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	c := &commitLog{f: f, number: number, next: 1, end: logHead}
	info, err := f.Stat()
	if err == nil {
		c.size = info.Size()
		_, err = f.WriteAt(headOf(l, number), 0)
	}
	if err == nil {
		err = files.Datasync(f)
	}
	if err == nil && fresh {
		err = files.SyncFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

func headOf(l lineage, number uint64) []byte {
	b := append(append(make([]byte, 0, logHead), logMagic...), l[:]...)
	b = binary.LittleEndian.AppendUint64(b, number)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, checksums))
	return b[:logHead]
}

// append makes a record durable.
func (c *commitLog) append(r record) error {
	c.buf = appendRecord(c.buf[:0], c.number, c.next, r)
	end := c.end + int64(len(c.buf))
	if end > c.size {
		to := (end + logGrowth - 1) / logGrowth * logGrowth
		if _, err := c.f.WriteAt(make([]byte, to-max(c.size, end)), max(c.size, end)); err != nil {
			return err
		}
		c.size = to
	}
	if _, err := c.f.WriteAt(c.buf, c.end); err != nil {
		return err
	}
	if err := files.Datasync(c.f); err != nil {
		return &flushError{err}
	}
	c.end = end
	c.next++
	if cap(c.buf) > logGrowth {
		c.buf = nil
	}
	return nil
}

// flushError is a flush that failed: whether the record is durable is not known.
type flushError struct{ error }

func (e *flushError) Unwrap() error { return e.error }

func appendRecord(b []byte, log, number uint64, r record) []byte {
	at := len(b)
	b = append(b, make([]byte, recordHead)...)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(r)))
	binary.LittleEndian.PutUint64(b[at+8:], number)
	b = append(b, r...)
	binary.LittleEndian.PutUint32(b[at+4:], recordSum(log, b[at+8:]))
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// recordSum is the checksum of a record from its number on.
func recordSum(log uint64, b []byte) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], log)
	return crc32.Update(crc32.Checksum(n[:], checksums), checksums, b)
}

// foundLog is a log as it was found.
type foundLog struct {
	name    string
	lineage lineage
	number  uint64
	content []byte
}

// findLogs reads the logs beside a database, the older first. A file that has no head yet
// was never written into.
func findLogs(path string) (out []foundLog, err error) {
	for _, name := range Logs(path) {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && (!info.Mode().IsRegular() || info.Size() > maxLogFound) {
			err = errors.New("it is no log of a database")
		}
		var b []byte
		if err == nil {
			b, err = os.ReadFile(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if l, ok, err := readLog(name, b); err != nil {
			return nil, err
		} else if ok {
			out = append(out, l)
		}
	}
	if len(out) == 2 && out[0].number > out[1].number {
		out[0], out[1] = out[1], out[0]
	}
	return out, nil
}

func readLog(name string, b []byte) (l foundLog, ok bool, err error) {
	if len(bytes.Trim(b[:min(len(b), logHead)], "\x00")) == 0 {
		return l, false, nil
	}
	if len(b) < logHead {
		return l, false, fmt.Errorf("%w: %s is cut short; restore a backup", ErrDamaged, name)
	}
	const sum = len(logMagic) + len(lineage{}) + 8
	if string(b[:len(logMagic)]) != logMagic || binary.LittleEndian.Uint32(b[sum:]) != crc32.Checksum(b[:sum], checksums) {
		return l, false, fmt.Errorf("%w: %s has no readable head, or is no log; restore a backup", ErrDamaged, name)
	}
	l = foundLog{name: name, number: binary.LittleEndian.Uint64(b[sum-8:]), content: b[logHead:]}
	copy(l.lineage[:], b[len(logMagic):])
	return l, true, nil
}

// records gives what is in a log, in order. It ends at the first record that is not whole:
// the last one, whose commit was cut off. A whole one behind it says that the log is
// damaged.
func (l foundLog) records(take func(record) error) error {
	rest, number := l.content, uint64(1)
	for {
		r, size, ok := l.record(rest, number)
		if !ok {
			break
		}
		if err := take(r); err != nil {
			return err
		}
		rest, number = rest[size:], number+1
	}
	for ; len(rest) >= recordHead; rest = rest[8:] {
		if found := binary.LittleEndian.Uint64(rest[8:]); found < number || found > number+maxLogFound {
			continue
		} else if _, _, ok := l.record(rest, found); ok {
			return fmt.Errorf("%w: %s misses record %d; restore a backup", ErrDamaged, l.name, number)
		}
	}
	return nil
}

func (l foundLog) record(b []byte, number uint64) (r record, size int, ok bool) {
	if len(b) < recordHead || binary.LittleEndian.Uint64(b[8:]) != number {
		return nil, 0, false
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n == 0 || n > len(b)-recordHead || binary.LittleEndian.Uint32(b[4:]) != recordSum(l.number, b[8:recordHead+n]) {
		return nil, 0, false
	}
	return b[recordHead : recordHead+n], min(len(b), (recordHead+n+7)/8*8), true
}
