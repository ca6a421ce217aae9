package admin

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"time"
)

// measureEvery is for how long a measure of the data folder holds: it may have a
// hundred thousand files.
const measureEvery = time.Minute

// Storage is the space of the data folder in the API.
type Storage struct {
	OK   bool   `json:"ok" doc:"The folder can be read, and has room."`
	Used int64  `json:"used_bytes" doc:"By the files in the data folder, to about a minute."`
	Free *int64 `json:"free_bytes" doc:"Left on its file system; null when that cannot be told."`
}

// disk measures the data folder, at most once a minute.
type disk struct {
	mu   sync.Mutex
	at   time.Time
	used int64
	err  error
}

// lowSpace is how little free space is too little, in bytes.
const lowSpace = 512 << 20

func (d *disk) measure(ctx context.Context, folder string, now time.Time) Storage {
	if folder == "" {
		return Storage{OK: true}
	}
	used, err := d.usedBy(ctx, folder, now)
	out := Storage{OK: err == nil, Used: used}
	if free, ferr := freeSpace(folder); ferr == nil {
		out.Free = &free
		out.OK = out.OK && free >= lowSpace
	}
	return out
}

func (d *disk) usedBy(ctx context.Context, folder string, now time.Time) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if age := now.Sub(d.at); !d.at.IsZero() && age >= 0 && age < measureEvery {
		return d.used, d.err
	}
	used := int64(0)
	err := filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err == nil { // a file that is gone meanwhile has no size
			used += info.Size()
		}
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return used, ctx.Err() // not the folder's fault, and not to be remembered
	}
	d.at, d.used, d.err = now, used, err
	return used, err
}
