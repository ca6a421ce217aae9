package file

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"

	"svc/app/vault"
	"svc/store"
)

// Missing says which files of conversations have a record and do not lie in their place.
type Missing struct {
	Records int // records of files that should be there
	Files   int // of which so many are not
	// First are the ids of up to ten of them.
	First []string
}

const (
	mostNamed = 10
	// atATime is how many records are read together.
	atATime = 500
)

// FindMissing compares the records of files with the place where they should lie. A database
// that others work on may be looked at too: a record that is gone in the end counts not.
func FindMissing(ctx context.Context, db *store.DB, place vault.Place) (out Missing, err error) {
	there := names{seed: maphash.MakeSeed(), of: map[uint64]struct{}{}}
	for found, err := range place.Files() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return out, err
		}
		if !found.Partial {
			there.of[there.hash(found.Name)] = struct{}{}
		}
	}
	for _, table := range []*store.Table[kept]{files, uploads} {
		err := eachPage(ctx, db, table, func(org string, page []kept) error {
			for i := range page {
				f := &page[i]
				if !f.Stored {
					continue
				}
				out.Records++
				if there.have(f) {
					continue
				}
				gone, err := isMissing(ctx, db, place, table, org, f)
				if err != nil {
					return err
				}
				if !gone {
					continue
				}
				if out.Files++; len(out.First) < mostNamed {
					out.First = append(out.First, f.ID)
				}
			}
			return nil
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// names are those of files, as numbers: there may be millions.
type names struct {
	seed maphash.Seed
	of   map[uint64]struct{}
}

func (n names) hash(name string) uint64 { return maphash.String(n.seed, name) }

// have says whether a file was seen, with its thumbnail when it has one.
func (n names) have(f *kept) bool {
	_, ok := n.of[n.hash(f.Vault)]
	if ok && f.Thumb > 0 {
		_, ok = n.of[n.hash(f.Vault+thumbEnding)]
	}
	return ok
}

// isMissing looks for one file itself: it may have come after the others were listed, or have
// gone with its record.
func isMissing(ctx context.Context, db *store.DB, place vault.Place, table *store.Table[kept], org string, f *kept) (bool, error) {
	for _, name := range []string{f.Vault, f.Vault + thumbEnding} {
		if name != f.Vault && f.Thumb == 0 {
			continue
		}
		r, err := place.Open(name)
		if err == nil {
			err = r.Close()
		}
		if errors.Is(err, fs.ErrNotExist) {
			var is bool
			err := db.View(ctx, func(tx *store.Tx) (err error) {
				is, err = table.Has(tx, org, f.ID)
				return err
			})
			return is, err
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// eachPage visits the records of a table of files, those of one organization after those of
// another, each page read in a transaction of its own.
func eachPage(ctx context.Context, db *store.DB, table *store.Table[kept], visit func(org string, page []kept) error) error {
	var orgs []string
	err := db.View(ctx, func(tx *store.Tx) error {
		orgs = nil
		for org, err := range table.EachOwner(tx) {
			if err != nil {
				return err
			}
			orgs = append(orgs, org)
		}
		return nil
	})
	for _, org := range orgs {
		if err == nil {
			err = eachPageOf(ctx, db, table, org, visit)
		}
	}
	return err
}

func eachPageOf(ctx context.Context, db *store.DB, table *store.Table[kept], org string, visit func(org string, page []kept) error) error {
	for behind := store.Cursor(nil); ; {
		var page []kept
		var next store.Cursor
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			page, next, err = table.Walk(tx, org, behind, atATime)
			return err
		})
		if err != nil {
			return err
		}
		if err := visit(org, page); err != nil {
			return err
		}
		if behind = next; behind == nil {
			return nil
		}
	}
}
