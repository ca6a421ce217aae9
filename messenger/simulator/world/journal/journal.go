// Package journal keeps the records of a world in a folder: a snapshot, the journal that goes on
// from it, and the log of sent messages. One process at a time has a folder.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"svc/messenger/simulator/world/record"
)

// Journal keeps records on disk. Records are added under the lock of the world, in the
// order in which they happened; commit writes whatever waits in one system call, for
// everybody who waits at that moment. The data is with the system then, which is enough
// to survive the end of the process; nothing waits for the disk.
type Journal struct {
	lock *os.File

	mu      sync.Mutex // of what waits
	lines   []byte
	log     []byte // for the log of sent messages
	added   int64
	broken  error
	file    sync.Mutex // of the files
	journal *os.File
	sent    *os.File
	written int64
}

// The files of a world. The snapshot names the journal that goes on from it, so that
// replacing it is one step.
const (
	snapshotName = "world.jsonl"
	journalName  = "journal-%d.jsonl"
	// SentName is the simulator's own log: one JSON object a line for every message
	// that was accepted from a client, in their order.
	SentName = "sent.jsonl"
)

// SnapshotAfter is how long a journal may be before the next start writes a snapshot.
const SnapshotAfter = 8 << 20

// World is the world that a journal is replayed into.
type World interface {
	// Apply changes the memory by a record.
	Apply(r *record.Record)
	// SentOf is the message of a record as the log has it; false for one of an account that is
	// not there.
	SentOf(r *record.Record) (record.Sent, bool)
	// Logged says that the log has the messages up to a number.
	Logged(n int64)
	// Records lead to the same world from nothing; next is the journal that goes on from them.
	Records(next int64) iter.Seq[*record.Record]
}

// Open replays what dir holds into w.
func Open(dir string, w World) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	held, err := lock(dir)
	if err != nil {
		return nil, err
	}
	j, err := readJournal(dir, w)
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	j.lock = held
	return j, nil
}

// lock keeps other processes away for as long as the file is open.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another simulator uses the folder %s: stop it, or name another folder", dir), f.Close())
	}
	return f, nil
}

func readJournal(dir string, w World) (*Journal, error) {
	j := &Journal{}
	next := int64(1)
	if _, err := replay(filepath.Join(dir, snapshotName), func(r *record.Record) {
		if r.K == record.KindNext {
			next = int64(r.UpTo)
		}
		w.Apply(r)
	}); err != nil {
		return nil, err
	}
	sent, err := openSent(filepath.Join(dir, SentName))
	if err != nil {
		return nil, err
	}
	j.sent = sent.file
	name := filepath.Join(dir, fmt.Sprintf(journalName, next))
	var missing []byte
	size, err := replay(name, func(r *record.Record) {
		w.Apply(r)
		if r.K == record.KindMessage && r.N > sent.last {
			if s, ok := w.SentOf(r); ok {
				missing = append(s.Encode(missing), '\n')
			}
		}
	})
	if err != nil {
		return nil, errors.Join(err, j.sent.Close())
	}
	w.Logged(sent.last)
	if _, err := j.sent.Write(missing); err != nil {
		return nil, errors.Join(err, j.sent.Close())
	}
	if size > SnapshotAfter {
		if err := WriteSnapshot(dir, w, next+1); err != nil {
			return nil, errors.Join(err, j.sent.Close())
		}
		next++
		_ = os.Remove(name)
		name = filepath.Join(dir, fmt.Sprintf(journalName, next))
	}
	if j.journal, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return nil, errors.Join(err, j.sent.Close())
	}
	return j, nil
}

// replay gives every whole record of a file, and cuts off what a kill left of another.
func replay(name string, f func(*record.Record)) (size int64, err error) {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				err = file.Truncate(size)
				return size, err
			}
			return size, nil
		}
		if err != nil {
			return size, err
		}
		rec := new(record.Record)
		if err := json.Unmarshal(line, rec); err != nil {
			return size, fmt.Errorf("%s, line %d is damaged: %w", filepath.Base(name), n, err)
		}
		f(rec)
		size += int64(len(line))
	}
}

// sentFile is the log of sent messages as it was found.
type sentFile struct {
	file *os.File
	last int64 // number of its last message
}

// openSent opens the log for appending and finds its end.
func openSent(name string) (sentFile, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return sentFile{}, err
	}
	size, last, err := lastLine(f)
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	if err != nil {
		return sentFile{}, errors.Join(err, f.Close())
	}
	out := sentFile{file: f}
	if len(last) > 0 {
		var s record.Sent
		if err := json.Unmarshal(last, &s); err != nil {
			return sentFile{}, errors.Join(fmt.Errorf("the end of %s is damaged: %w", SentName, err), f.Close())
		}
		out.last = s.N
	}
	return out, nil
}

// lastLine finds the last whole line of a file and where it ends.
func lastLine(f *os.File) (size int64, line []byte, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, nil, err
	}
	size = info.Size()
	for window := int64(64 << 10); ; window *= 4 {
		from := max(0, size-window)
		b := make([]byte, size-from)
		if _, err := f.ReadAt(b, from); err != nil && !errors.Is(err, io.EOF) {
			return 0, nil, err
		}
		end := bytes.LastIndexByte(b, '\n')
		if start := bytes.LastIndexByte(b[:max(end, 0)], '\n'); end >= 0 && (start >= 0 || from == 0) {
			return from + int64(end) + 1, b[start+1 : end], nil
		}
		if from == 0 {
			return 0, nil, nil // no whole line
		}
	}
}

// Add encodes a record. The world calls it under its lock.
func (j *Journal) Add(r *record.Record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return // nothing is answered any more
	}
	lines, err := r.Encode(j.lines)
	if err != nil {
		j.broken = err
		return
	}
	lines = append(lines, '\n')
	j.lines = lines
	j.added++
}

// AddSent adds a message to the log.
func (j *Journal) AddSent(s record.Sent) {
	j.mu.Lock()
	j.log = append(s.Encode(j.log), '\n')
	j.mu.Unlock()
}

// Commit returns when all that was added before is with the system.
func (j *Journal) Commit() error {
	j.mu.Lock()
	upTo := j.added
	j.mu.Unlock()
	j.file.Lock()
	defer j.file.Unlock()
	if err := j.failed(); err != nil || j.written >= upTo {
		return err
	}
	j.mu.Lock()
	lines, log, added := j.lines, j.log, j.added
	j.lines, j.log = nil, nil
	j.mu.Unlock()
	// The journal first: the start repairs the log from it.
	_, err := j.journal.Write(lines)
	if err == nil {
		_, err = j.sent.Write(log)
	}
	if err != nil {
		j.mu.Lock()
		j.broken = fmt.Errorf("the journal of the simulator cannot be written: %w", err)
		j.mu.Unlock()
	}
	j.written = added
	return j.failed()
}

func (j *Journal) failed() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.broken
}

// Close ends the files, and lets another process have the folder.
func (j *Journal) Close() error {
	j.file.Lock()
	defer j.file.Unlock()
	return errors.Join(j.journal.Close(), j.sent.Close(), j.lock.Close())
}

// WriteSnapshot replaces the snapshot by the world as it is.
func WriteSnapshot(dir string, w World, next int64) (err error) {
	name := filepath.Join(dir, snapshotName)
	f, err := os.CreateTemp(dir, snapshotName+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	b := bufio.NewWriterSize(f, 1<<16)
	enc := json.NewEncoder(b)
	for r := range w.Records(next) {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	if err := errors.Join(b.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// ReadLog reads the log in the folder of a world, also while another process writes it:
// a line that is not whole yet is left out.
func ReadLog(dir string, f func(record.Sent) error) error {
	file, err := os.Open(filepath.Join(dir, SentName))
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var s record.Sent
		if err := json.Unmarshal(line, &s); err != nil {
			return err
		}
		if err := f(s); err != nil {
			return err
		}
	}
}
