// Package disk tells how much room the data folder has.
//
// It promises one walk of the folder a minute at most, however often it is asked, because
// the folder may have a hundred thousand files. It refuses to guess: what the file system
// does not tell is null, and a walk that was broken off is not remembered.
package disk

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

// Folder measures the data folder, at most once a minute.
type Folder struct {
	mu   sync.Mutex
	at   time.Time
	used int64
	err  error
}

// LowSpace is how little free space is too little, in bytes.
const LowSpace = 512 << 20

// Measure tells the space of a folder; no folder has enough.
func (d *Folder) Measure(ctx context.Context, folder string, now time.Time) Storage {
	if folder == "" {
		return Storage{OK: true}
	}
	used, err := d.usedBy(ctx, folder, now)
	out := Storage{OK: err == nil, Used: used}
	if free, ferr := freeSpace(folder); ferr == nil {
		out.Free = &free
		out.OK = out.OK && free >= LowSpace
	}
	return out
}

func (d *Folder) usedBy(ctx context.Context, folder string, now time.Time) (int64, error) {
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
