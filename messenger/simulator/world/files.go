package world

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the platform's own checksum of an upload
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// The platform's bounds of an upload.
const (
	maxPart  = 512 << 10
	maxParts = 4000
	// maxUploads bounds the uploads under way, of all accounts.
	maxUploads = 1000
)

// upload is a file that is not whole yet.
type upload struct {
	parts map[int][]byte
	size  int64
}

type uploadKey struct {
	account, file int64
}

// files holds uploads and their contents. Contents are kept up to a bound, oldest
// forgotten first; what is known about a file stays.
type files struct {
	dir   string
	limit int64
	used  int64 // bytes of contents and of uploads under way
	epoch int64 // references of older epochs have expired
	byID  map[int64]*record.File
	order []int64          // as they came
	first int              // the oldest in order whose content is kept
	data  map[int64][]byte // without a folder
	up    map[uploadKey]*upload
}

func (f *files) init(o Options) {
	*f = files{limit: o.Files, epoch: 1, byID: map[int64]*record.File{}, data: map[int64][]byte{}, up: map[uploadKey]*upload{}}
	if o.Dir != "" {
		f.dir = filepath.Join(o.Dir, "files")
	}
}

func (f *files) get(id int64) *record.File { return f.byID[id] }

func (f *files) all() []*record.File {
	out := make([]*record.File, len(f.order))
	for i, id := range f.order {
		out[i] = f.byID[id]
	}
	return out
}

// maxFiles is how many files are known, with or without their content.
const maxFiles = 100_000

func (f *files) add(x *record.File) {
	if f.byID[x.ID] == nil {
		f.order = append(f.order, x.ID)
		f.used += x.Size
	}
	f.byID[x.ID] = x
	for len(f.order) > maxFiles {
		if f.first == 0 {
			f.forget()
		}
		delete(f.byID, f.order[0])
		f.order = f.order[1:]
		f.first--
	}
}

// forget drops the oldest content.
func (f *files) forget() {
	id := f.order[f.first]
	f.first++
	f.used -= f.byID[id].Size
	delete(f.data, id)
	if f.dir != "" {
		_ = os.Remove(f.path(id)) // forgotten either way
	}
}

// makeRoom forgets old contents.
func (f *files) makeRoom(size int64) {
	for f.used+size > f.limit && f.first < len(f.order) {
		f.forget()
	}
}

func (f *files) path(id int64) string { return filepath.Join(f.dir, strconv.FormatInt(id, 10)) }

func (f *files) write(id int64, content []byte) error {
	if f.dir == "" {
		f.data[id] = content
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(f.path(id), content, 0o600)
}

// SavePart keeps one part of an upload.
func (w *World) SavePart(k [8]byte, file int64, part, of int, content []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(k)
	if err != nil {
		return err
	}
	switch {
	case len(content) == 0:
		return platform("FILE_PART_EMPTY")
	case len(content) > maxPart:
		return platform("FILE_PART_TOO_BIG")
	case part < 0 || part >= maxParts || of > maxParts:
		return platform("FILE_PART_INVALID")
	}
	f := &w.files
	key := uploadKey{a.id, file}
	u := f.up[key]
	if u == nil {
		if len(f.up) >= maxUploads {
			return tgerr.New(500, "INTERNAL")
		}
		u = &upload{parts: map[int][]byte{}}
		f.up[key] = u
	}
	added := int64(len(content) - len(u.parts[part]))
	f.makeRoom(added)
	if f.used+added > f.limit {
		f.drop(key)
		return platform("FILE_PARTS_INVALID")
	}
	u.parts[part] = bytes.Clone(content)
	u.size += added
	f.used += added
	return nil
}

func (f *files) drop(key uploadKey) *upload {
	u := f.up[key]
	if u != nil {
		delete(f.up, key)
		f.used -= u.size
	}
	return u
}

// Upload is a file that a client says it has uploaded.
type Upload struct {
	ID    int64
	Parts int
	Name  string
	MD5   string      // "" for big files
	File  record.File // what is known besides
}

// Finish makes a file of uploaded parts.
func (w *World) Finish(k [8]byte, up Upload) (*record.File, error) {
	return of(w, k, func(a *account) (*record.File, error) {
		u := w.files.drop(uploadKey{a.id, up.ID})
		if u == nil || up.Parts != len(u.parts) {
			return nil, platform("FILE_PARTS_INVALID")
		}
		content := make([]byte, 0, u.size)
		for n := range up.Parts {
			part, ok := u.parts[n]
			if !ok {
				return nil, platform(fmt.Sprintf("FILE_PART_%d_MISSING", n))
			}
			content = append(content, part...)
		}
		if sum := md5.Sum(content); up.MD5 != "" && up.MD5 != hex.EncodeToString(sum[:]) { //nolint:gosec // see above
			return nil, platform("MD5_CHECKSUM_INVALID")
		}
		return w.keepFile(up, content)
	})
}

func (w *World) keepFile(up Upload, content []byte) (*record.File, error) {
	f := up.File
	hash := sha256.Sum256(content)
	f.ID, f.Hash, f.Size, f.Name, f.At = w.newFileID(), hex.EncodeToString(hash[:]), int64(len(content)), up.Name, w.o.Now().Unix()
	w.files.makeRoom(f.Size)
	if err := w.files.write(f.ID, content); err != nil {
		return nil, err
	}
	w.put(&record.Record{K: record.KindFile, File: &f})
	return &f, nil
}

func (w *World) newFileID() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return int64(binary.LittleEndian.Uint64(b[:])>>2 | 1)
}

// FileRef is a file as a client names it.
type FileRef struct {
	ID, Hash  int64
	Reference []byte
}

// RefOf is how an account names a file from now on.
func (w *World) RefOf(account int64, f *record.File) FileRef {
	w.mu.Lock()
	defer w.mu.Unlock()
	return FileRef{ID: f.ID, Hash: w.hash(account, f.ID), Reference: binary.BigEndian.AppendUint64(nil, uint64(w.files.epoch))}
}

// FileOf is a file that a client names; an old reference has expired.
func (w *World) FileOf(k [8]byte, r FileRef) (*record.File, error) {
	return of(w, k, func(a *account) (*record.File, error) {
		f := w.files.get(r.ID)
		switch {
		case f == nil || r.Hash != w.hash(a.id, r.ID):
			return nil, platform("FILE_ID_INVALID")
		case len(r.Reference) != 8 || binary.BigEndian.Uint64(r.Reference) != uint64(w.files.epoch):
			return nil, platform("FILE_REFERENCE_EXPIRED")
		}
		return f, nil
	})
}

// Part is FileOf for a client that asks for the content.
func (w *World) Part(k [8]byte, r FileRef) (*record.File, error) {
	_, err := of(w, k, func(a *account) (struct{}, error) { return struct{}{}, w.question(a, scene.Parts) })
	if err != nil {
		return nil, err
	}
	return w.FileOf(k, r)
}

// File is a file by its id, nil for none.
func (w *World) File(id int64) *record.File {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files.get(id)
}

// Content is part of the content of a file, empty past its end.
func (w *World) Content(id, offset int64, limit int) ([]byte, error) {
	w.mu.Lock()
	data, dir := w.files.data[id], w.files.dir
	path := w.files.path(id)
	w.mu.Unlock()
	if dir == "" {
		if data == nil {
			return nil, platform("FILE_ID_INVALID")
		}
		from := min(max(offset, 0), int64(len(data)))
		return data[from:min(from+int64(limit), int64(len(data)))], nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, platform("FILE_ID_INVALID")
	}
	defer f.Close()
	b := make([]byte, limit)
	n, _ := f.ReadAt(b, max(offset, 0)) // past the end is empty
	return b[:n], nil
}
