package mapshare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"svc/app/vault"
	"svc/geo/outfile"
)

const (
	// every is how often the publication is looked at, and how long a file waits that could
	// not be fetched: twice as long each time, up to longest, because files are large.
	every   = time.Minute
	longest = time.Hour
)

// Follower keeps files of this server equal to those that are published.
type Follower struct {
	place   vault.Place
	name    string // of the place, without what is secret
	paths   map[Kind]string
	fetched func(Kind)
	log     *slog.Logger
	wake    chan struct{}
	trouble string // what was told last
	// failed is how often in a row a file of the publication of that time could not be
	// fetched; next is when it is tried again.
	failed int
	of     time.Time
	next   time.Time
}

// NewFollower makes one that fetches into the files of paths; kinds without one are not
// fetched. fetched hears of each file that took its name.
func NewFollower(root vault.Root, paths map[Kind]string, fetched func(Kind), log *slog.Logger) *Follower {
	return &Follower{place: root.Place(folder), name: root.String(), paths: paths, fetched: fetched, log: log, wake: make(chan struct{}, 1)}
}

// Run looks at the publication at once, every minute, and whenever Reload asks, until ctx ends.
func (f *Follower) Run(ctx context.Context) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		f.look(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-f.wake:
			f.failed = 0
		}
	}
}

// Reload asks Run to look now.
func (f *Follower) Reload() {
	select {
	case f.wake <- struct{}{}:
	default: // asked already
	}
}

// look fetches what is published and not here. What is wrong is told once; it is tried again
// with the next look.
func (f *Follower) look(ctx context.Context) {
	err := f.fetch(ctx)
	switch {
	case err == nil || ctx.Err() != nil:
		f.trouble = ""
	case f.trouble == err.Error():
	case errors.Is(err, ErrNone):
		f.trouble = err.Error()
		f.log.Info(err.Error(), "from", f.name)
	default:
		f.trouble = err.Error()
		f.log.Error("the published map cannot be fetched; what is here serves on", "from", f.name, "error", err.Error())
	}
}

func (f *Follower) fetch(ctx context.Context) error {
	p, err := read(f.place)
	if err != nil {
		return err
	}
	if !p.PublishedAt.Equal(f.of) {
		f.of, f.failed = p.PublishedAt, 0
	}
	if f.failed > 0 && time.Now().Before(f.next) {
		return errors.New(f.trouble)
	}
	err = f.fetchAll(ctx, &p)
	if err != nil {
		f.next = time.Now().Add(min(every<<min(f.failed, 10), longest))
		f.failed++
	}
	return err
}

func (f *Follower) fetchAll(ctx context.Context, p *Publication) error {
	var all []error
	for _, kind := range Kinds {
		file, published := p.Files[kind]
		path := f.paths[kind]
		if !published || path == "" || ctx.Err() != nil {
			continue
		}
		if here, err := isAt(ctx, path, file); err != nil || here {
			all = append(all, err)
			continue
		}
		began := time.Now()
		f.log.Info("fetching what is published of the map", "file", kind, "bytes", file.Size, "from", f.name)
		if err := f.fetchOne(ctx, path, file); err != nil {
			all = append(all, fmt.Errorf("%s: %w", kind, err))
			continue
		}
		f.log.Info("fetched", "file", kind, "path", path, "seconds", time.Since(began).Round(time.Second).Seconds())
		f.fetched(kind)
	}
	return errors.Join(all...)
}

func (f *Follower) fetchOne(ctx context.Context, path string, file File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	from, err := f.place.Open(file.Name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // it was only read
	err = outfile.Write(ctx, path, func(to *os.File) error {
		got, err := sum(ctx, io.TeeReader(io.NewSectionReader(from, 0, min(from.Size(), file.Size+1)), to))
		if err == nil && got != file {
			err = errors.New("is not what was published: its length or its checksum is another; publish it again")
		}
		return err
	})
	if err != nil {
		return err
	}
	return note(path, file)
}

// notePath is the file beside a fetched one that says what it is, so that a start does not read
// gigabytes to know.
func notePath(path string) string { return path + ".published" }

func note(path string, file File) error {
	data, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return os.WriteFile(notePath(path), append(data, '\n'), 0o600)
}

// isAt says whether a published file is what stands at path.
func isAt(ctx context.Context, path string, file File) (bool, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() != file.Size {
		return false, ignoreMissing(err)
	}
	var noted File
	data, err := os.ReadFile(notePath(path))
	if err == nil && json.Unmarshal(data, &noted) == nil && noted == file {
		return true, nil
	}
	at, err := os.Open(path)
	if err != nil {
		return false, ignoreMissing(err)
	}
	defer func() { _ = at.Close() }() // it was only read
	got, err := sum(ctx, at)
	if err != nil || got != file {
		return false, err
	}
	return true, note(path, file)
}

func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
