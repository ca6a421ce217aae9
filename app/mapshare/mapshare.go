// Package mapshare publishes the files of a map in a place that several servers share, and
// keeps the files of each server equal to those that are published.
//
// It promises that a server has a published file whole or keeps the one from before: what was
// fetched is held against its length and its checksum before it takes a name, where package
// geo/live finds it and changes to it without dropping a request. A publication names its files
// by their checksums, and is written after them, so that nobody sees a part of one.
//
// It refuses to serve out of the shared place: a query reads the file in a hundred spots, and
// needs it on the server's own disk. It does not say whether a file is good: who publishes it
// does (svc map publish).
package mapshare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"svc/app/vault"
)

// Kind is one of the files that a map consists of.
type Kind string

// The kinds of files.
const (
	Index   Kind = "index"
	Tiles   Kind = "tiles"
	Terrain Kind = "terrain"
)

// Kinds are all of them, in the order in which they are fetched.
var Kinds = []Kind{Tiles, Terrain, Index}

// File is a file as it is published.
type File struct {
	Name string `json:"sha256"` // of its bytes, in hex: the name under which it lies
	Size int64  `json:"size"`
}

// Publication says which files are the current ones.
type Publication struct {
	Format      int           `json:"format"`
	PublishedAt time.Time     `json:"published_at"`
	Files       map[Kind]File `json:"files"`
	// Before are those of the publication before, which servers may still be fetching.
	Before map[Kind]File `json:"before,omitempty"`
}

const (
	format   = 1
	folder   = "maps"    // of the shared place
	current  = "current" // the name of the publication in it
	maxBytes = 64 << 10  // of a publication
	// keptFor is for how long a file stays that no publication names any more: longer than
	// anybody fetches one.
	keptFor = 24 * time.Hour
)

// ErrNone is the error when nothing was published.
var ErrNone = errors.New("no map was published here")

// Current is the publication of a place: ErrNone, or vault.ErrAway for a place that cannot be
// reached.
func Current(root vault.Root) (Publication, error) { return read(root.Place(folder)) }

func read(place vault.Place) (p Publication, err error) {
	f, err := place.Open(current)
	if errors.Is(err, fs.ErrNotExist) {
		return p, ErrNone
	}
	if err != nil {
		return p, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if f.Size() > maxBytes {
		return p, fmt.Errorf("what is published has %d bytes and is no publication", f.Size())
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("what is published cannot be read: %w", err)
	}
	if p.Format != format {
		return p, fmt.Errorf("what is published has format %d, and this version of svc knows %d: use the version that published it, or a newer one", p.Format, format)
	}
	for kind, file := range p.Files {
		if !slices.Contains(Kinds, kind) || !file.valid() {
			return p, fmt.Errorf("what is published names %.40q, which is no file of a map", string(kind))
		}
	}
	return p, nil
}

// valid says whether the name is a checksum: it becomes a part of a path.
func (f File) valid() bool {
	sum, err := hex.DecodeString(f.Name)
	return err == nil && len(sum) == sha256.Size && f.Size >= 0
}

// Publish makes files the current ones: the paths of those that change, the others stay as they
// are published. A file that is there already is not sent again. onFile hears of each file whether
// it was sent.
func Publish(ctx context.Context, root vault.Root, paths map[Kind]string, onFile func(kind Kind, file File, sent bool)) (p Publication, err error) {
	place := root.Place(folder)
	before, err := read(place)
	if err != nil && !errors.Is(err, ErrNone) {
		return p, err
	}
	p = Publication{Format: format, PublishedAt: time.Now().UTC(), Files: map[Kind]File{}, Before: before.Files}
	for kind, file := range before.Files {
		p.Files[kind] = file
	}
	for _, kind := range Kinds {
		path := paths[kind]
		if path == "" {
			continue
		}
		file, sent, err := send(ctx, place, path)
		if err != nil {
			return p, fmt.Errorf("%s: %w", path, err)
		}
		p.Files[kind] = file
		onFile(kind, file, sent)
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return p, err
	}
	if err := put(ctx, place, current, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return p, err
	}
	return p, clean(place, &p)
}

// send puts a file into the place under its checksum, if it is not there.
func send(ctx context.Context, place vault.Place, path string) (out File, sent bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return out, false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if out, err = sum(ctx, f); err != nil {
		return out, false, err
	}
	switch there, err := place.Open(out.Name); {
	case err == nil:
		size := there.Size()
		if err := there.Close(); err != nil || size == out.Size {
			return out, false, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return out, false, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return out, false, err
	}
	return out, true, put(ctx, place, out.Name, func(w io.Writer) error {
		again, err := sum(ctx, io.TeeReader(f, w))
		if err == nil && again != out {
			err = errors.New("changed while it was sent; publish it again when it is whole")
		}
		return err
	})
}

// sum reads a file and says what it is published as.
func sum(ctx context.Context, r io.Reader) (File, error) {
	h := sha256.New()
	n, err := io.Copy(h, while(ctx, r))
	return File{Name: hex.EncodeToString(h.Sum(nil)), Size: n}, err
}

func put(ctx context.Context, place vault.Place, name string, write func(io.Writer) error) error {
	u, err := place.Create(name)
	if err != nil {
		return err
	}
	if err := errors.Join(write(u), ctx.Err()); err != nil {
		return errors.Join(err, u.Abort())
	}
	return u.Commit()
}

// clean removes files that neither this publication nor the one before names.
func clean(place vault.Place, p *Publication) error {
	for found, err := range place.Files() {
		if err != nil {
			return err
		}
		if found.Name == current || p.names(found.Name) || time.Since(found.At) < keptFor {
			continue
		}
		remove := place.Remove
		if found.Partial {
			remove = place.RemovePartial
		}
		if err := remove(found.Name); err != nil {
			return err
		}
	}
	return nil
}

func (p *Publication) names(name string) bool {
	for _, kind := range Kinds {
		if p.Files[kind].Name == name || p.Before[kind].Name == name {
			return true
		}
	}
	return false
}

// while reads until ctx ends.
func while(ctx context.Context, r io.Reader) io.Reader { return &bounded{ctx, r} }

type bounded struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.r.Read(p)
}
