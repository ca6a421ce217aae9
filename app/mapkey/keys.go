package mapkey

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"svc/app/mapkey/origin"
)

// Defaults of map contract 53.
const (
	DefaultRate   = 600             // requests per minute of a key that names no limit
	DefaultReload = 5 * time.Second // between two looks at the key file
	DefaultFlush  = 30 * time.Second
)

// ID stands for a key wherever the key itself must not appear: its SHA-256.
type ID [sha256.Size]byte

// KeyID is the ID of a key.
func KeyID(key string) ID { return sha256.Sum256([]byte(key)) }

// Holder is one usable key as the checks see it. It is immutable; an edit of
// the key file makes a new one that shares the bucket.
type Holder struct {
	ID           ID
	Key          string // "" of a stored key
	Name         string
	RateLimit    int64 // requests per minute, the server's default filled in
	MonthlyQuota int64 // billable requests per UTC month; 0 means unlimited
	Disabled     bool

	origins origin.Allowlist
	bucket  *bucket
}

// KeyOptions are the settings of a key set. Zero values mean the defaults.
type KeyOptions struct {
	DefaultRate int64         // --key-rate, requests per minute
	Reload      time.Duration // --key-reload
	Log         *slog.Logger
}

// Keys is the set of keys of one key file, and of those that are stored elsewhere
// (UseStored): one check for both. Reading is lock-free; the file is looked at again by
// Run.
type Keys struct {
	path string
	opt  KeyOptions

	set      atomic.Pointer[map[string]*Holder] // of the file
	records  atomic.Pointer[map[string]Key]     // the same as they stand there
	stored   atomic.Pointer[map[ID]*Holder]     // see UseStored
	failures atomic.Uint64

	mu   sync.Mutex  // one reload at a time
	seen os.FileInfo // of the version last tried; nil when there was no file
	last string      // text of the last failure, so that it is logged once
}

// OpenKeys reads the key file at path; "" is none, for keys that are stored elsewhere
// only. A missing file is an empty set and a
// warning; a file that cannot be understood is an error that says where.
func OpenKeys(path string, opt KeyOptions) (*Keys, error) {
	if opt.DefaultRate <= 0 {
		opt.DefaultRate = DefaultRate
	}
	if opt.Reload <= 0 {
		opt.Reload = DefaultReload
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	k := &Keys{path: path, opt: opt}
	k.set.Store(&map[string]*Holder{})
	k.records.Store(&map[string]Key{})
	k.stored.Store(&map[ID]*Holder{})
	if path == "" {
		return k, nil
	}
	keys, _, info, err := readKeyFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		opt.Log.Warn("the key file does not exist: no key is valid until it does", "file", path)
		k.last = err.Error()
		return k, nil
	case err != nil:
		return nil, err
	}
	if info.Mode().Perm()&0o004 != 0 {
		opt.Log.Warn("every user of this machine can read the key file; chmod 600 it", "file", path)
	}
	k.seen = info
	k.install(keys)
	return k, nil
}

// Lookup finds a key. The answer must not be changed.
func (k *Keys) Lookup(key string) (*Holder, bool) {
	if h, ok := (*k.set.Load())[key]; ok {
		return h, true
	}
	if stored := *k.stored.Load(); len(stored) > 0 {
		h, ok := stored[KeyID(key)]
		return h, ok
	}
	return nil, false
}

// Len is the number of keys in force, disabled ones included.
func (k *Keys) Len() int { return len(*k.set.Load()) + len(*k.stored.Load()) }

// Failures is how often a changed key file could not be taken over, for metrics.
func (k *Keys) Failures() uint64 { return k.failures.Load() }

// Run looks at the key file every KeyOptions.Reload until ctx ends. It answers nil.
func (k *Keys) Run(ctx context.Context) error {
	tick := time.NewTicker(k.opt.Reload)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			k.poll()
		}
	}
}

// poll reads the file again when its modification time or its size differ from
// what was read last, or when it is another file.
func (k *Keys) poll() {
	info, err := os.Stat(k.path)
	k.mu.Lock()
	same := err == nil && k.seen != nil && sameVersion(info, k.seen)
	k.mu.Unlock()
	if !same {
		_ = k.Reload() // logged and counted there
	}
}

func sameVersion(a, b os.FileInfo) bool {
	return a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && os.SameFile(a, b)
}

// Reload reads the key file now, changed or not. When it is missing or cannot be
// understood the keys in memory stay in force; the error is logged once for
// each version of the file.
func (k *Keys) Reload() error {
	if k.path == "" {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	keys, _, info, err := readKeyFile(k.path)
	k.seen = info
	if err != nil {
		if bad := (*FileError)(nil); !errors.As(err, &bad) {
			k.seen = nil // not the content's fault: it may heal without a new version of the file
		}
		if text := err.Error(); text != k.last {
			k.last = text
			k.failures.Add(1)
			k.opt.Log.Error("the key file was not taken over; the keys in memory stay in force", "file", k.path, "error", text)
		}
		return err
	}
	k.last = ""
	k.install(keys)
	k.opt.Log.Info("key file read", "file", k.path, "keys", k.Len())
	return nil
}

// install makes the keys the ones in force. Buckets follow their key; those of
// removed keys are dropped with the old set.
func (k *Keys) install(keys []Key) {
	old := *k.set.Load()
	set, records := make(map[string]*Holder, len(keys)), make(map[string]Key, len(keys))
	for _, rec := range keys {
		if rec.Key == "" {
			continue
		}
		if _, duplicate := set[rec.Key]; duplicate {
			k.opt.Log.Warn("a key stands twice in the key file; its last record counts", "file", k.path, "name", rec.Name)
		}
		set[rec.Key], records[rec.Key] = k.holder(rec, old[rec.Key]), rec
	}
	k.set.Store(&set)
	k.records.Store(&records)
}

func (k *Keys) holder(rec Key, before *Holder) *Holder {
	return k.holderOf(KeyID(rec.Key), rec, before)
}

func (k *Keys) holderOf(id ID, rec Key, before *Holder) *Holder {
	h := &Holder{
		ID: id, Key: rec.Key, Name: rec.Name,
		RateLimit: rec.RateLimit, MonthlyQuota: rec.MonthlyQuota, Disabled: rec.Disabled,
		origins: origin.Compile(rec.Origins),
	}
	if rec.RateLimit < 0 || rec.MonthlyQuota < 0 {
		k.opt.Log.Warn("a negative limit in the key file is read as 0", "file", k.path, "name", rec.Name)
	}
	if h.RateLimit <= 0 {
		h.RateLimit = k.opt.DefaultRate
	}
	h.MonthlyQuota = max(h.MonthlyQuota, 0)
	if before != nil {
		h.bucket = before.bucket
	} else {
		h.bucket = new(bucket)
	}
	return h
}
