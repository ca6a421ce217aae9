package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"svc/store"
)

// BrokenError says where a chain is broken.
type BrokenError struct {
	Org   string // "" for the platform
	Seq   int64  // the place of the first entry that is not as it was written; 0: the end of the chain itself
	Entry string // its id; "" when it is not known
	What  string
}

// Error is the sentence for people.
func (e *BrokenError) Error() string {
	ownerOrgID := "the platform"
	if e.Org != store.Platform {
		ownerOrgID = e.Org
	}
	where := ""
	if e.Seq > 0 {
		where = fmt.Sprintf(" at place %d", e.Seq)
	}
	if e.Entry != "" {
		where += ", entry " + e.Entry
	}
	return fmt.Sprintf("the audit chain of %s is broken%s: %s", ownerOrgID, where, e.What)
}

// Owners lists who has a chain, or what is left of one: organizations, and
// store.Platform.
func Owners(ctx context.Context, db *store.DB) ([]string, error) {
	var all []string
	for _, owners := range []func(*store.Tx, store.Cursor, int) ([]string, store.Cursor, error){entries.Owners, heads.Owners} {
		for next, more := store.Cursor(nil), true; more; more = next != nil {
			var page []string
			after := next
			err := db.View(ctx, func(tx *store.Tx) (err error) {
				page, next, err = owners(tx, after, pageSize)
				return err
			})
			if err != nil {
				return nil, err
			}
			all = append(all, page...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// pageSize is how much one transaction reads.
const pageSize = 500

// Verify walks the chain of an organization, or of the platform, and answers how
// many entries it has. A *BrokenError names the first entry that is not as it was
// written, which may be one that is missing or cannot be read. Anchors of this chain, in
// the order of their places, must agree with it too. It reads in pages, so it may run
// while the service does.
func Verify(ctx context.Context, db *store.DB, org string, anchors ...Anchor) (int64, error) {
	k, err := keysOf(db)
	if err != nil {
		return 0, err
	}
	w := walk{org: org, limit: pageSize, keys: k, anchors: anchors}
	for !w.done {
		var next walk
		err := db.View(ctx, func(tx *store.Tx) error {
			next = w
			return next.page(tx)
		})
		if err != nil {
			return next.at.Seq, err
		}
		w = next
	}
	return w.at.Seq, nil
}

// walk is how far a chain was followed.
type walk struct {
	org   string
	at    head // the last entry that is as it was written
	after store.Cursor
	limit int
	done  bool
	keys  keys
	keyed bool // the last entry was linked with the key, so every further one is
	// anchors are those of places that were not reached yet.
	anchors []Anchor
}

func (w *walk) broken(seq int64, entry, format string, args ...any) error {
	return &BrokenError{Org: w.org, Seq: seq, Entry: entry, What: fmt.Sprintf(format, args...)}
}

// page follows one page of the chain. What the chain says of its end is read in the
// same transaction: the last entry must be exactly that one.
func (w *walk) page(tx *store.Tx) error {
	end, err := headOf(tx, w.org)
	if errors.Is(err, store.ErrCorrupt) {
		return w.broken(0, "", "the record of its end cannot be read, so it was changed")
	}
	if err != nil {
		return err
	}
	found, next, err := bySeq.Walk(tx, w.org, store.Range{After: w.after, Limit: w.limit})
	switch {
	case errors.Is(err, store.ErrCorrupt) && w.limit > 1:
		w.limit = 1 // one of the page does not read: go on one by one, up to it
		return nil
	case errors.Is(err, store.ErrCorrupt):
		return w.unreadable(tx)
	case err != nil:
		return err
	}
	for i := range found {
		if err := w.follow(end, &found[i]); err != nil {
			return err
		}
	}
	w.after, w.done = next, next == nil
	switch {
	case !w.done:
		return nil
	case w.at.Seq < end.Seq:
		return w.broken(w.at.Seq+1, "", "it ends here, and %d entries were written", end.Seq)
	case w.at.Hash != end.Hash:
		return w.broken(0, "", "the record of its end is not that of its last entry")
	case w.at.Seq > 0 && !w.keyed:
		return w.broken(w.at.Seq, "", "its entries were not linked with the key of this installation, so somebody wrote them anew")
	case (end.Seq > 0 || end.MAC != "") && !w.keys.signed(w.org, end):
		return w.broken(0, "", "the record of its end was not signed with the key of this installation, so entries behind it may be missing")
	}
	return w.shortened()
}

// follow goes on along the chain by one entry.
func (w *walk) follow(end head, e *Entry) error {
	switch {
	case e.Seq <= w.at.Seq:
		return w.broken(e.Seq, e.ID, "it was added, another entry has this place")
	case e.Seq > w.at.Seq+1:
		return w.broken(w.at.Seq+1, "", "the entry is missing")
	case e.Seq > end.Seq:
		return w.broken(e.Seq, e.ID, "it was added, %d entries were written", end.Seq)
	}
	right, err := w.linked(e)
	switch {
	case err != nil:
		return err
	case !right && e.Action == Keyed && !w.keyed:
		return w.broken(e.Seq, e.ID, "it, or one before it, was changed after it was written")
	case !right, e.Seq == end.Seq && e.Hash != end.Hash:
		return w.broken(e.Seq, e.ID, "it was changed after it was written")
	}
	w.at = head{Seq: e.Seq, Hash: e.Hash}
	return w.passed()
}

// linked says whether the hash of an entry is right. Until the first one that is linked
// with the key, entries of older versions may come, which are not.
func (w *walk) linked(e *Entry) (bool, error) {
	hash, err := w.keys.linkOf(w.at.Hash, e)
	if err != nil {
		return false, err
	}
	if hash == e.Hash {
		w.keyed = true
		return true, nil
	}
	if w.keyed {
		return false, nil
	}
	hash, err = plainLink(w.at.Hash, e)
	return hash == e.Hash, err
}

// unreadable names the entry behind the last good one, which does not read.
func (w *walk) unreadable(tx *store.Tx) error {
	seq := w.at.Seq + 1
	ids, _, err := bySeq.IDs(tx, w.org, store.Range{Span: store.Is(store.Int(seq)), Limit: 1})
	switch {
	case errors.Is(err, store.ErrCorrupt):
		return w.broken(seq, "", "what the index says of it cannot be read, so it was changed")
	case err != nil:
		return err
	case len(ids) == 0:
		return w.broken(seq, "", "the entry is missing")
	}
	switch _, err := entries.Get(tx, w.org, ids[0]); {
	case errors.Is(err, store.ErrNotFound):
		return w.broken(seq, ids[0], "the entry is missing")
	case errors.Is(err, store.ErrCorrupt):
		return w.broken(seq, ids[0], "it cannot be read any more, so it was changed after it was written")
	case err != nil:
		return err
	}
	return w.broken(seq, "", "another entry has its place in the index")
}
