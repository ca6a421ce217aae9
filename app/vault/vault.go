// Package vault keeps files sealed, in pieces, in a folder or another place.
//
// It promises that a file is whole and durable when Write returns, or absent; that
// reading a part opens only the pieces it lies in; that a piece that was changed,
// moved, or belongs to another file or to another length of it, does not open; and
// that a file lies under its name alone, so that the place can be compared with
// what should be in it. It refuses to know what the files are and whose. Several processes
// share a place when they share a Lock.
package vault

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"strings"
	"sync"
	"time"
)

// Piece is how many bytes are sealed together.
const Piece = 64 << 10

// ErrDamaged is matched by the errors about a file that is missing, has another
// length than it should, or does not open.
var ErrDamaged = errors.New("a stored file is damaged")

// Sealer seals and opens pieces. The same name opens what it sealed; store.DB is
// one.
type Sealer interface {
	SealFile(name string, plain []byte) ([]byte, error)
	OpenFile(name string, sealed []byte) ([]byte, error)
}

// Vault is one place of files. Safe for concurrent use.
type Vault struct {
	place Place
	seal  Sealer
	lock  Lock
	seed  maphash.Seed
	locks [64]sync.Mutex
}

// Lock takes a lock that all processes know that write into a place, and answers what lets
// go of it.
type Lock func(ctx context.Context, key string) (unlock func(), err error)

// New makes a vault in a place. lock is for one that several processes share; nil: this
// process is alone with it.
func New(place Place, seal Sealer, lock Lock) *Vault {
	return &Vault{place: place, seal: seal, lock: lock, seed: maphash.MakeSeed()}
}

// lockWithin is how long a file waits for a process that writes or removes it.
const lockWithin = time.Minute

// Locked runs f while nobody else is in Locked with that name. What must agree with
// the place, such as a record in the database, is changed inside: whoever sweeps
// the place waits.
func (v *Vault) Locked(name string, f func() error) error {
	l := &v.locks[maphash.String(v.seed, name)%uint64(len(v.locks))]
	l.Lock()
	defer l.Unlock()
	if v.lock == nil {
		return f()
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWithin)
	defer cancel()
	unlock, err := v.lock(ctx, "file/"+name)
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}

// checkName refuses what is no name of a file: hex digits, and letters behind a dot.
func checkName(name string) error {
	if len(name) < 8 || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz.") != "" || strings.Contains(name, "..") {
		return fmt.Errorf("vault: %q is no name of a file", name)
	}
	return nil
}

// pieceName binds a piece to its file, the length of that and its place in it.
func pieceName(name string, size int64, i int64) string {
	return fmt.Sprintf("file/%s/%d/%d", name, size, i)
}

// Write keeps a file, in place of one of that name. Call it in Locked.
func (v *Vault) Write(name string, content []byte) error {
	w, err := v.Create(name, int64(len(content)))
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

// Remove removes a file; one that is not there is no error. Call it in Locked.
func (v *Vault) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return v.place.Remove(name)
}

// settled is how old a file of a shared place is before a sweep looks at it: a younger one may
// be written by another process, whose record of it is about to be stored.
const settled = time.Hour

// Names visits the files of the place. A file that was being written when its
// process died is visited too: its name, with Partial true, which
// RemovePartial removes.
func (v *Vault) Names() iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for found, err := range v.place.Files() {
			if err == nil && v.lock != nil && time.Since(found.At) < settled {
				continue
			}
			if !yield(found, err) {
				return
			}
		}
	}
}

// RemovePartial removes what a writer left that died. Call it in Locked, so that it
// is none that writes now.
func (v *Vault) RemovePartial(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return v.place.RemovePartial(name)
}

// Open opens a file of that length. The errors about it match ErrDamaged.
func (v *Vault) Open(name string, size int64) (*Reader, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	f, err := v.place.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	}
	if err != nil {
		return nil, err
	}
	pieces := (size + Piece - 1) / Piece
	extra := f.Size() - size // what sealing adds, the same to each piece
	if size <= 0 || extra < 0 || extra%pieces != 0 {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("%w: %s has %d bytes, which is no sealed file of %d", ErrDamaged, name, f.Size(), size)
	}
	return &Reader{v: v, f: f, name: name, size: size, extra: extra / pieces, piece: -1}, nil
}

// Reader reads one file, opening a piece at a time. It is for one goroutine.
type Reader struct {
	v     *Vault
	f     Stored
	name  string
	size  int64
	extra int64
	at    int64
	piece int64  // the one that is open, -1 for none
	plain []byte // its content
}

// Size is the length of the file in bytes.
func (r *Reader) Size() int64 { return r.size }

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.at >= r.size {
		return 0, io.EOF
	}
	if err := r.load(r.at / Piece); err != nil {
		return 0, err
	}
	n := copy(p, r.plain[r.at%Piece:])
	r.at += int64(n)
	return n, nil
}

// Seek implements io.Seeker.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, errors.New("vault: a place before the beginning of a file")
	}
	r.at = offset
	return offset, nil
}

// Close implements io.Closer.
func (r *Reader) Close() error { return r.f.Close() }

func (r *Reader) load(i int64) error {
	if r.piece == i {
		return nil
	}
	want := min(Piece, r.size-i*Piece)
	sealed := make([]byte, want+r.extra)
	switch _, err := r.f.ReadAt(sealed, i*(Piece+r.extra)); {
	case errors.Is(err, ErrAway):
		return err
	case err != nil:
		return fmt.Errorf("%w: piece %d of %s: %w", ErrDamaged, i, r.name, err)
	}
	plain, err := r.v.seal.OpenFile(pieceName(r.name, r.size, i), sealed)
	if err != nil {
		return fmt.Errorf("%w: piece %d of %s: %w", ErrDamaged, i, r.name, err)
	}
	r.piece, r.plain = i, plain
	return nil
}
