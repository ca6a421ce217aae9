package store

import (
	"context"
	"encoding/json"

	"svc/store/internal/layout"
	"svc/store/internal/prepare"
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

var checksumName = layout.Meta("backup")

// checksumOf reads everything.
func checksumOf(k kv.Tx) (checksum, error) {
	sum := digest.New()
	for p, err := range k.Scan(kv.Range{}) {
		if err != nil {
			return checksum{}, err
		}
		if string(p.Key) != string(checksumName) {
			sum.Add(p.Key, p.Value)
		}
	}
	return checksum{sum.Pairs, sum.SHA256()}, nil
}

// addChecksum gives a copy that nobody has open its checksum.
func addChecksum(ctx context.Context, path string) error {
	return kv.Amend(ctx, path, func(k kv.Tx) error {
		for _, key := range [][]byte{underWay, prepare.Key} { // of the store, not of the copy
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
		return k.Put(checksumName, b)
	})
}

// holdsChecksum compares the content of a backup with its checksum, if it has one.
func (db *DB) holdsChecksum(ctx context.Context) error {
	return db.engine.View(ctx, func(k kv.Tx) error {
		b, err := k.Get(checksumName)
		if err != nil || b == nil {
			return err
		}
		var want checksum
		if err := json.Unmarshal(b, &want); err != nil {
			return corrupt("the checksum of the backup does not decode: %w", err)
		}
		got, err := checksumOf(k)
		switch {
		case err != nil:
			return err
		case got.Pairs != want.Pairs:
			return corrupt("the backup is not as it was made: it holds %d keys, and %d were written", got.Pairs, want.Pairs)
		case got != want:
			return corrupt("the backup is not as it was made: its content does not match its checksum")
		}
		return nil
	})
}

// dropChecksum makes a backup a store again, whose content will change.
func (db *DB) dropChecksum(ctx context.Context) error {
	there := false
	err := db.engine.View(ctx, func(k kv.Tx) error {
		b, err := k.Get(checksumName)
		there = b != nil
		return err
	})
	if err != nil || !there {
		return err
	}
	return db.engine.Update(ctx, func(k kv.Tx) error { return k.Delete(checksumName) })
}
