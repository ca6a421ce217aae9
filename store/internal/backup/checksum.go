// Package backup is what a backup is as a file: the checksum that it carries, the list of those
// that are being made, and what is left of those that were interrupted.
//
// It promises to tell a backup whose content was damaged or changed. It refuses to know what the
// content means: that the store proves.
package backup

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"svc/store/internal/layout"
	"svc/store/kv"
	"svc/store/kv/digest"
)

// checksum is what a backup says of its own content. It lies in the backup itself,
// beside the head, so that one file stays one file. It covers keys and values, not
// pages: it is written last, over every other pair in the order of the keys, and
// still holds when the file is compacted. It tells a backup that was damaged or
// changed, also in a value that nothing else refers to; it is no signature, for who
// changes a backup on purpose can count again. Backups of older versions have none.
// A store that is opened to be written loses it.
type checksum struct {
	Pairs  int64  `json:"pairs"`
	SHA256 string `json:"sha256"`
}

// ChecksumKey is where it lies.
var ChecksumKey = layout.Meta("backup")

// Engine is an engine that keeps the keys in a file of this machine.
type Engine interface {
	kv.Engine
	// Backup copies the file to another path; finish may change the copy before it gets
	// its name.
	Backup(ctx context.Context, path string, finish func(tmp string) error) error
	// Checkpoint brings everything into the one file.
	Checkpoint(ctx context.Context) error
	// Size is that of the file in bytes.
	Size() (int64, error)
}

// Viewer is an engine that is read.
type Viewer interface {
	View(context.Context, func(kv.Tx) error) error
}

// checksumOf reads everything.
func checksumOf(k kv.Tx) (checksum, error) {
	sum := digest.New()
	for p, err := range k.Scan(kv.Range{}) {
		if err != nil {
			return checksum{}, err
		}
		if string(p.Key) != string(ChecksumKey) {
			sum.Add(p.Key, p.Value)
		}
	}
	return checksum{sum.Pairs, sum.SHA256()}, nil
}

// AddChecksum gives a copy that nobody has open its checksum, and takes out what is of the store
// and not of the copy.
func AddChecksum(ctx context.Context, path string, ofStore ...[]byte) error {
	return kv.Amend(ctx, path, func(k kv.Tx) error {
		for _, key := range ofStore {
			if err := k.Delete(key); err != nil {
				return err
			}
		}
		sum, err := checksumOf(k)
		if err != nil {
			return err
		}
		b, err := json.Marshal(sum)
		if err != nil {
			return err
		}
		return k.Put(ChecksumKey, b)
	})
}

// HoldsChecksum compares the content of a backup with its checksum, if it has one.
func HoldsChecksum(ctx context.Context, of Viewer) error {
	return of.View(ctx, func(k kv.Tx) error {
		b, err := k.Get(ChecksumKey)
		if err != nil || b == nil {
			return err
		}
		var want checksum
		if err := json.Unmarshal(b, &want); err != nil {
			return layout.Corrupt("the checksum of the backup does not decode: %w", err)
		}
		got, err := checksumOf(k)
		switch {
		case err != nil:
			return err
		case got.Pairs != want.Pairs:
			return layout.Corrupt("the backup is not as it was made: it holds %d keys, and %d were written", got.Pairs, want.Pairs)
		case got != want:
			return layout.Corrupt("the backup is not as it was made: its content does not match its checksum")
		}
		return nil
	})
}

// DropChecksum makes a backup a store again, whose content will change.
func DropChecksum(ctx context.Context, of kv.Engine) error {
	there := false
	err := of.View(ctx, func(k kv.Tx) error {
		b, err := k.Get(ChecksumKey)
		there = b != nil
		return err
	})
	if err != nil || !there {
		return err
	}
	return of.Update(ctx, func(k kv.Tx) error { return k.Delete(ChecksumKey) })
}

// Is says whether a file is a whole backup that this program, or another version
// of it, made: a database whose pages are sound and which has its checksum. Backups of
// versions that wrote none are not recognised. Who has the database open may not ask
// about it.
func Is(ctx context.Context, path string) (is bool, err error) {
	r, err := kv.OpenReadOnly(path)
	if err != nil {
		return false, ctx.Err() // it is something else, or cannot be read
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = r.View(ctx, func(k kv.Tx) error {
		b, err := k.Get(ChecksumKey)
		is = b != nil
		return err
	})
	return is, err
}

// Same reports whether two paths are one file.
func Same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
