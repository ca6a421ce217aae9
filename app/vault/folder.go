package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a Root in the file system, which need not exist: every kind has a folder in it.
type Folder struct {
	Dir string
	// Several: other servers write into the same folder.
	Several bool
}

// InFolder is a vault that this process alone has in a folder.
func InFolder(dir string, seal Sealer) *Vault { return New(folder(dir), seal, nil) }

// Place implements Root.
func (f Folder) Place(kind string) Place { return folder(filepath.Join(f.Dir, kind)) }

// Shared implements Root.
func (f Folder) Shared() bool { return f.Several }

// String implements Root.
func (f Folder) String() string { return f.Dir }

// Check implements Root: the folder has to be there.
func (f Folder) Check(context.Context) error {
	if info, err := os.Stat(f.Dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s", f.Dir)
	}
	return nil
}

// folder is a Place: a file is in one of 256 folders.
type folder string

const temporary = ".tmp"

func (d folder) path(name string) string { return filepath.Join(string(d), name[:2], name) }

// Create implements Place.
func (d folder) Create(name string) (Upload, error) {
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &written{File: f, dir: d, path: path}, nil
}

// written is a file of a folder that is being written.
type written struct {
	*os.File
	dir  folder
	path string
	over bool
}

// Commit implements Upload.
func (w *written) Commit() error {
	if w.over {
		return fs.ErrClosed
	}
	w.over = true
	err := errors.Join(w.Sync(), w.Close())
	if err == nil {
		err = os.Rename(w.path+temporary, w.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep a file: %w", err), ignoreMissing(os.Remove(w.path+temporary)))
	}
	return errors.Join(syncFolder(filepath.Dir(w.path)), syncFolder(string(w.dir)))
}

// Abort implements Upload.
func (w *written) Abort() error {
	if w.over {
		return nil
	}
	w.over = true
	return errors.Join(w.Close(), ignoreMissing(os.Remove(w.path+temporary)))
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read is a file of a folder that is read.
type read struct {
	*os.File
	size int64
}

// Size implements Stored.
func (r read) Size() int64 { return r.size }

// Open implements Place.
func (d folder) Open(name string) (Stored, error) {
	f, err := os.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return read{f, info.Size()}, nil
}

// Remove implements Place.
func (d folder) Remove(name string) error { return ignoreMissing(os.Remove(d.path(name))) }

// RemovePartial implements Place.
func (d folder) RemovePartial(name string) error {
	return ignoreMissing(os.Remove(d.path(name) + temporary))
}

// Files implements Place.
func (d folder) Files() iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it went meanwhile, or nothing was ever kept
			}
			if err != nil || e.IsDir() {
				return err
			}
			name, partial := strings.CutSuffix(e.Name(), temporary)
			if checkName(name) != nil || d.path(name) != strings.TrimSuffix(path, temporary) {
				return nil //nolint:nilerr // not a file of ours: leave it alone
			}
			info, err := e.Info()
			if err != nil {
				return ignoreMissing(err)
			}
			if !yield(Found{name, partial, info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Found{}, err)
		}
	}
}
