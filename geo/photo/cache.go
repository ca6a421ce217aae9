package photo

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// block is what a small file really takes on disk; counting it keeps the
// number of files bounded too.
const block = 4096

// tempPrefix marks files that are being written.
const tempPrefix = ".tmp-"

// cache keeps files in one folder within a bound; the oldest go first. The time
// of a file is the time it was fetched.
type cache struct {
	dir   string
	limit int64
	clock func() time.Time

	mu    sync.Mutex
	known bool  // whether total was counted yet
	total int64 // bytes on disk, in whole blocks
}

func newCache(dir string, limit int64, clock func() time.Time) *cache {
	return &cache{dir: dir, limit: limit, clock: clock}
}

// read returns a file and its age; ok is false when it is not there or larger
// than limit.
func (c *cache) read(name string, limit int64) (data []byte, age time.Duration, ok bool) {
	if c.dir == "" {
		return nil, 0, false
	}
	f, err := os.Open(filepath.Join(c.dir, name))
	if err != nil {
		return nil, 0, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > limit {
		return nil, 0, false
	}
	data, err = io.ReadAll(io.LimitReader(f, limit))
	return data, c.clock().Sub(info.ModTime()), err == nil
}

// open opens an image that is not older than TTL. A file that is not one of the
// allowed kinds any more (a damaged disk, a foreign hand) is not there.
func (c *cache) open(name string) (f *os.File, kind string, modified time.Time, ok bool) {
	if c.dir == "" {
		return nil, "", time.Time{}, false
	}
	f, err := os.Open(filepath.Join(c.dir, name))
	if err != nil {
		return nil, "", time.Time{}, false
	}
	var head [512]byte
	n, _ := io.ReadFull(f, head[:])
	kind = http.DetectContentType(head[:n])
	info, err := f.Stat()
	_, seekErr := f.Seek(0, io.SeekStart)
	if err != nil || seekErr != nil || !allowedType(kind) || c.clock().Sub(info.ModTime()) >= TTL {
		_ = f.Close()
		return nil, "", time.Time{}, false
	}
	return f, kind, info.ModTime(), true
}

// write stores a file whole or not at all and makes room when the bound is
// passed. It needs no fsync: what a crash loses is asked for again.
func (c *cache) write(name string, data []byte) error {
	if c.dir == "" {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(c.dir, tempPrefix)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // gone already when all went well
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	now := c.clock()
	if err := os.Chtimes(temp.Name(), now, now); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	target := filepath.Join(c.dir, name)
	old := int64(0)
	if info, err := os.Stat(target); err == nil {
		old = onDisk(info.Size())
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return err
	}
	if c.known {
		c.total += onDisk(int64(len(data))) - old
	}
	return c.makeRoom()
}

func onDisk(size int64) int64 {
	return (size + block - 1) / block * block
}

// makeRoom removes the oldest files until a tenth of the bound is free again,
// so that the folder is not read for every file. c.mu is held.
func (c *cache) makeRoom() error {
	if c.known && c.total <= c.limit {
		return nil
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	c.total, c.known = 0, true
	for _, f := range files {
		c.total += onDisk(f.Size())
	}
	if c.total <= c.limit {
		return nil
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if c.total <= c.limit-c.limit/10 {
			break
		}
		if err := os.Remove(filepath.Join(c.dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.total -= onDisk(f.Size())
	}
	return nil
}

// files lists the cache. Temporary files that a crash left are removed when
// they are older than any write can take.
func (c *cache) files() ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	var out []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(e.Name(), tempPrefix) {
			if c.clock().Sub(info.ModTime()) > time.Hour {
				_ = os.Remove(filepath.Join(c.dir, e.Name()))
			}
			continue
		}
		out = append(out, info)
	}
	return out, nil
}
