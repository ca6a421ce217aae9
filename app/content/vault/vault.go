// Package vault keeps files sealed in a folder, in pieces.
//
// It promises that a file is whole and durable when Write returns, or absent; that
// reading a part opens only the pieces it lies in; that a piece that was changed,
// moved, or belongs to another file or to another length of it, does not open; and
// that a file lies under its name alone, so that the folder can be compared with
// what should be in it. It refuses to know what the files are and whose, and two
// processes at once.
package vault

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// Vault is one folder. Safe for concurrent use.
type Vault struct {
	dir   string
	seal  Sealer
	seed  maphash.Seed
	locks [64]sync.Mutex
}

// New makes a vault in a folder, which need not exist.
func New(dir string, seal Sealer) *Vault {
	return &Vault{dir: dir, seal: seal, seed: maphash.MakeSeed()}
}

// Locked runs f while nobody else is in Locked with that name. What must agree with
// the folder, such as a record in the database, is changed inside: whoever sweeps
// the folder waits.
func (v *Vault) Locked(name string, f func() error) error {
	l := &v.locks[maphash.String(v.seed, name)%uint64(len(v.locks))]
	l.Lock()
	defer l.Unlock()
	return f()
}

const temporary = ".tmp"

// path is where a file lies: in one of 256 folders. Names are hex digits, and
// letters behind a dot.
func (v *Vault) path(name string) (string, error) {
	if len(name) < 8 || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz.") != "" || strings.Contains(name, "..") {
		return "", fmt.Errorf("vault: %q is no name of a file", name)
	}
	return filepath.Join(v.dir, name[:2], name), nil
}

// pieceName binds a piece to its file, the length of that and its place in it.
func pieceName(name string, size int64, i int64) string {
	return fmt.Sprintf("file/%s/%d/%d", name, size, i)
}

// Write keeps a file, in place of one of that name. Call it in Locked.
func (v *Vault) Write(name string, content []byte) error {
	path, err := v.path(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path+temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(v.write(f, name, content), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+temporary, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep a file: %w", err), ignoreMissing(os.Remove(path+temporary)))
	}
	return errors.Join(syncFolder(filepath.Dir(path)), syncFolder(v.dir))
}

func (v *Vault) write(f *os.File, name string, content []byte) error {
	size := int64(len(content))
	for i := int64(0); i*Piece < size; i++ {
		sealed, err := v.seal.SealFile(pieceName(name, size, i), content[i*Piece:min((i+1)*Piece, size)])
		if err != nil {
			return err
		}
		if _, err := f.Write(sealed); err != nil {
			return err
		}
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Remove removes a file; one that is not there is no error. Call it in Locked.
func (v *Vault) Remove(name string) error {
	path, err := v.path(name)
	if err != nil {
		return err
	}
	return ignoreMissing(os.Remove(path))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Names visits the files of the folder. A file that was being written when its
// process died is visited too: its temporary name, with partial true, which
// RemovePartial removes.
func (v *Vault) Names() iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		err := filepath.WalkDir(v.dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it went meanwhile, or nothing was ever kept
			}
			if err != nil || d.IsDir() {
				return err
			}
			name, partial := strings.CutSuffix(d.Name(), temporary)
			if at, err := v.path(name); err != nil || at != strings.TrimSuffix(path, temporary) {
				return nil //nolint:nilerr // not a file of ours: leave it alone
			}
			if !yield(Found{name, partial}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Found{}, err)
		}
	}
}

// Found is a file in the folder.
type Found struct {
	Name    string
	Partial bool // only what a writer left that died
}

// RemovePartial removes what a writer left that died. Call it in Locked, so that it
// is none that writes now.
func (v *Vault) RemovePartial(name string) error {
	path, err := v.path(name)
	if err != nil {
		return err
	}
	return ignoreMissing(os.Remove(path + temporary))
}

// Open opens a file of that length. The errors about it match ErrDamaged.
func (v *Vault) Open(name string, size int64) (*Reader, error) {
	path, err := v.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	}
	if err != nil {
		return nil, err
	}
	stat, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	pieces := (size + Piece - 1) / Piece
	extra := stat.Size() - size // what sealing adds, the same to each piece
	if size <= 0 || extra < 0 || extra%pieces != 0 {
		f.Close()
		return nil, fmt.Errorf("%w: %s has %d bytes, which is no sealed file of %d", ErrDamaged, name, stat.Size(), size)
	}
	return &Reader{v: v, f: f, name: name, size: size, extra: extra / pieces, piece: -1}, nil
}

// Reader reads one file, opening a piece at a time. It is for one goroutine.
type Reader struct {
	v     *Vault
	f     *os.File
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
	if _, err := r.f.ReadAt(sealed, i*(Piece+r.extra)); err != nil {
		return fmt.Errorf("%w: piece %d of %s: %w", ErrDamaged, i, r.name, err)
	}
	plain, err := r.v.seal.OpenFile(pieceName(r.name, r.size, i), sealed)
	if err != nil {
		return fmt.Errorf("%w: piece %d of %s: %w", ErrDamaged, i, r.name, err)
	}
	r.piece, r.plain = i, plain
	return nil
}
