package mapkey

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Layout of the usage file. All numbers are big-endian.
//
//	meta    "format" → 1 byte; "file" → 16 random bytes; "seq" → number of the last flush
//	hours   ID, hour (4 bytes), product name → requests (8), denied (8)
//	months  month (4 bytes), ID → requests (8): the sum of the month's hours
var (
	bucketMeta   = []byte("meta")
	bucketHours  = []byte("hours")
	bucketMonths = []byte("months")
	keyFormat    = []byte("format")
	keyFile      = []byte("file")
	keySeq       = []byte("seq")
)

const (
	usageFormat = 1
	lockTimeout = time.Second // for a server that is just stopping to let go of the file
)

var (
	// errDamaged marks a file that must not be used further.
	errDamaged      = errors.New("the usage file is damaged")
	errStillDamaged = fmt.Errorf("%w and has not changed since; move it away to start a new one, or restore a copy", errDamaged)
)

// usageFile is an open usage file. It is used by one goroutine at a time: a
// panic inside bbolt can leave its locks held, and nobody may be waiting for
// them.
type usageFile struct {
	path   string
	db     *bolt.DB
	raw    *os.File // bbolt's own handle, so that a broken file can be let go
	id     [16]byte
	seq    uint64
	stamp  string
	broken bool // bbolt panicked; it must not be called again, not even to close
}

// openUsage opens the usage file, or makes an empty one. The pages are walked
// first without bbolt, which trusts them: a damaged file could make it recurse
// without end or allocate without bound, and neither can be caught.
func openUsage(path string) (*usageFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("usage file: %w", err)
	}
	if err := verifyUsage(path); err != nil {
		return nil, err
	}
	empty := isEmpty(path)
	f := &usageFile{path: path}
	opt := *bolt.DefaultOptions
	opt.Timeout = lockTimeout
	opt.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		raw, err := os.OpenFile(name, flag, mode)
		f.raw = raw
		return raw, err
	}
	err := f.guard(func() (err error) {
		f.db, err = bolt.Open(path, 0o600, &opt)
		return err
	})
	if f.broken {
		return nil, errors.Join(err, f.close())
	}
	if err != nil {
		if errors.Is(err, berrors.ErrTimeout) {
			return nil, fmt.Errorf("usage file %s: another process has it open", path)
		}
		err = fmt.Errorf("usage file %s: %w", path, err)
		if empty {
			err = errors.Join(err, f.undo())
		}
		return nil, err
	}
	if err := f.head(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	f.stamp = stampOf(path)
	return f, nil
}

// isEmpty reports whether a database would be made at path.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// undo empties a file whose making failed half-way, on a full disk for example:
// what is left of it would be taken for a damaged file for ever. A file that is
// sound, or that another process has open, is not ours to empty.
func (f *usageFile) undo() error {
	raw, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return nil // nothing was made
	}
	defer raw.Close()
	if lockAlone(raw) != nil {
		return nil
	}
	info, err := raw.Stat()
	if err != nil || info.Size() == 0 || verifyPages(raw, info.Size()) == nil {
		return nil
	}
	if err := raw.Truncate(0); err != nil {
		return fmt.Errorf("usage file %s: empty what is left of it: %w", f.path, err)
	}
	return nil
}

// guard runs fn with page faults of the memory-mapped file turned into panics,
// and any panic into an error that retires the file.
func (f *usageFile) guard(fn func() error) (err error) {
	if f.broken {
		return errDamaged
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			f.broken = true
			err = fmt.Errorf("%w: %v", errDamaged, r)
			if _, ok := r.(interface{ Addr() uintptr }); ok {
				err = fmt.Errorf("%w: page fault, it is shorter than it was or its disk fails", errDamaged)
			}
		}
	}()
	return fn()
}

// close lets go of the file. Of a broken one only the lock and the descriptor
// are given back; its address range stays mapped, because bbolt may not be
// entered again.
func (f *usageFile) close() error {
	if f.broken {
		if f.raw == nil {
			return nil
		}
		return errors.Join(unlock(f.raw), f.raw.Close())
	}
	return f.guard(f.db.Close)
}

// landed is which file this is, and the number of its last flush.
func (f *usageFile) landed() (id [16]byte, number uint64) { return f.id, f.seq }

// shared is false: one process has the file.
func (f *usageFile) shared() bool { return false }

// touched reports whether somebody else changed, replaced or removed the file.
func (f *usageFile) touched() bool { return stampOf(f.path) != f.stamp }

// head reads who the file is, or makes it one when it is new.
func (f *usageFile) head() error {
	fresh := false
	err := f.guard(func() error {
		return f.db.View(func(tx *bolt.Tx) error {
			name, _ := tx.Cursor().First()
			fresh = name == nil
			if fresh {
				return nil
			}
			return f.readHead(tx)
		})
	})
	if err != nil || !fresh {
		return err
	}
	return f.guard(func() error {
		return f.db.Update(func(tx *bolt.Tx) error {
			_, _ = rand.Read(f.id[:])
			for _, name := range [][]byte{bucketMeta, bucketHours, bucketMonths} {
				if _, err := tx.CreateBucket(name); err != nil {
					return fmt.Errorf("usage file: %w", err)
				}
			}
			b := tx.Bucket(bucketMeta)
			return errors.Join(b.Put(keyFormat, []byte{usageFormat}),
				b.Put(keyFile, f.id[:]), b.Put(keySeq, be64(0)))
		})
	})
}

func (f *usageFile) readHead(tx *bolt.Tx) error {
	b := tx.Bucket(bucketMeta)
	if b == nil || tx.Bucket(bucketHours) == nil || tx.Bucket(bucketMonths) == nil || len(b.Get(keyFormat)) != 1 {
		return fmt.Errorf("%s is a database, but not a usage file; give another --usage FILE", f.path)
	}
	if v := b.Get(keyFormat)[0]; v != usageFormat {
		return fmt.Errorf("usage file %s has format %d, written by a newer version; this one knows format %d", f.path, v, usageFormat)
	}
	id, seq := b.Get(keyFile), b.Get(keySeq)
	if len(id) != len(f.id) || len(seq) != 8 {
		return fmt.Errorf("%w: its head is incomplete", errDamaged)
	}
	copy(f.id[:], id)
	f.seq = binary.BigEndian.Uint64(seq)
	return nil
}

// probe reads the head again.
func (f *usageFile) probe() error {
	return f.guard(func() error {
		return f.db.View(func(tx *bolt.Tx) error {
			was := f.seq
			if err := f.readHead(tx); err != nil {
				return err
			}
			if f.seq != was {
				return fmt.Errorf("%w: something else wrote to it", errDamaged)
			}
			return nil
		})
	})
}

// add writes a flush: every cell added to what the file holds, and the flush's
// number, in one transaction.
func (f *usageFile) add(batch []flight, number uint64) error {
	slices.SortFunc(batch, func(a, b flight) int { return slices.Compare(a.id[:], b.id[:]) })
	err := f.guard(func() error {
		return f.db.Update(func(tx *bolt.Tx) error {
			hours, months := tx.Bucket(bucketHours), tx.Bucket(bucketMonths)
			for _, fl := range batch {
				if err := addFlight(hours, months, fl); err != nil {
					return err
				}
			}
			return tx.Bucket(bucketMeta).Put(keySeq, be64(number))
		})
	})
	if err != nil {
		return err
	}
	f.seq = number
	f.stamp = stampOf(f.path)
	return nil
}

func addFlight(hours, months *bolt.Bucket, fl flight) error {
	sums := map[month]uint64{}
	for _, c := range fl.cells {
		if c.requests > 0 {
			sums[c.hour.month()] += c.requests
		}
		key := append(hourKey(fl.id, c.hour), c.product.String()...)
		sum, err := readCounts(hours.Get(key))
		if err != nil {
			return err
		}
		sum.add(c.counts)
		if err := hours.Put(key, append(be64(sum.requests), be64(sum.denied)...)); err != nil {
			return fmt.Errorf("usage file: %w", err)
		}
	}
	for at, n := range sums {
		key := append(binary.BigEndian.AppendUint32(nil, uint32(at)), fl.id[:]...)
		if old := months.Get(key); len(old) == 8 {
			n += binary.BigEndian.Uint64(old)
		} else if old != nil {
			return fmt.Errorf("%w: a month's total is unreadable", errDamaged)
		}
		if err := months.Put(key, be64(n)); err != nil {
			return fmt.Errorf("usage file: %w", err)
		}
	}
	return nil
}

// months reads the totals of every key from a month on.
func (f *usageFile) months(from month) (map[ID][]monthUse, error) {
	out := map[ID][]monthUse{}
	err := f.guard(func() error {
		return f.db.View(func(tx *bolt.Tx) error {
			c := tx.Bucket(bucketMonths).Cursor()
			for k, v := c.Seek(binary.BigEndian.AppendUint32(nil, uint32(from))); k != nil; k, v = c.Next() {
				if len(k) != 4+len(ID{}) || len(v) != 8 {
					return fmt.Errorf("%w: a month's total is unreadable", errDamaged)
				}
				id, at := ID(k[4:]), month(binary.BigEndian.Uint32(k))
				if len(out[id]) < maxMonths {
					out[id] = append(out[id], monthUse{at, binary.BigEndian.Uint64(v)})
				}
			}
			return nil
		})
	})
	return out, err
}

// rows calls fn for each stored count of a key from one hour up to, not
// including, another, in the order of hours and then of product names.
func (f *usageFile) rows(id ID, from, to hour, fn func(h hour, product string, c counts)) error {
	return f.guard(func() error {
		return f.db.View(func(tx *bolt.Tx) error {
			c := tx.Bucket(bucketHours).Cursor()
			prefix := len(id) + 4
			for k, v := c.Seek(hourKey(id, from)); len(k) > prefix && ID(k[:len(id)]) == id; k, v = c.Next() {
				h := hour(binary.BigEndian.Uint32(k[len(id):]))
				if h >= to {
					return nil
				}
				n, err := readCounts(v)
				if err != nil {
					return err
				}
				fn(h, string(k[prefix:]), n)
			}
			return nil
		})
	})
}

// hourKey has room for the product's name behind it.
func hourKey(id ID, h hour) []byte {
	return binary.BigEndian.AppendUint32(append(make([]byte, 0, 48), id[:]...), uint32(h))
}

func readCounts(v []byte) (counts, error) {
	switch len(v) {
	case 0:
		return counts{}, nil
	case 16:
		return counts{binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:])}, nil
	}
	return counts{}, fmt.Errorf("%w: a count is unreadable", errDamaged)
}

func be64(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 0, 16), n) }
