package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/store"
)

// covered is what a hash covers: the entry without its hash. Fields that later
// versions add must be left out when empty, so that older hashes stay true.
type covered struct {
	Seq       int64             `json:"seq"`
	ID        string            `json:"id"`
	At        time.Time         `json:"at"`
	Actor     Actor             `json:"actor"`
	Action    string            `json:"action"`
	Resource  Resource          `json:"resource"`
	Changes   map[string]Change `json:"changes,omitempty"`
	Reason    *string           `json:"reason,omitempty"`
	IP        *string           `json:"ip,omitempty"`
	UserAgent *string           `json:"user_agent,omitempty"`
	RequestID *string           `json:"request_id,omitempty"`
	Support   *string           `json:"support_session_id,omitempty"`
}

// link is the hash of an entry behind the one before it; before is "" for the
// first of a chain.
func link(before string, e *Entry) (string, error) {
	data, err := json.Marshal(covered{
		e.Seq, e.ID, e.At, e.Actor, e.Action, e.Resource, e.Changes, e.Reason, e.IP, e.UserAgent, e.RequestID, e.SupportSessionID,
	})
	if err != nil {
		return "", fmt.Errorf("audit: %w", err)
	}
	h := sha256.New()
	h.Write([]byte(before + "\n"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)), nil
}

func headOf(tx *store.Tx, org string) (head, error) {
	h, err := heads.Get(tx, org, headID)
	if errors.Is(err, store.ErrNotFound) {
		return head{ID: headID}, nil
	}
	return h, err
}

// BrokenError says where a chain is broken.
type BrokenError struct {
	Org   string // "" for the platform
	Seq   int64  // the place of the first entry that is not as it was written
	Entry string // its id; "" when it is missing
	What  string
}

// Error is the sentence for people.
func (e *BrokenError) Error() string {
	whose := "the platform"
	if e.Org != store.Platform {
		whose = e.Org
	}
	if e.Entry == "" {
		return fmt.Sprintf("the audit chain of %s is broken at place %d: %s", whose, e.Seq, e.What)
	}
	return fmt.Sprintf("the audit chain of %s is broken at place %d, entry %s: %s", whose, e.Seq, e.Entry, e.What)
}

// Verify walks the chain of an organization, or of the platform, and answers how
// many entries it has. A *BrokenError names the first entry that is not as it was
// written. It reads in pages, so it may run while the service does.
func Verify(ctx context.Context, db *store.DB, org string) (int64, error) {
	var (
		end  head
		at   head
		next store.Cursor
	)
	err := db.View(ctx, func(tx *store.Tx) (err error) {
		end, err = headOf(tx, org)
		return err
	})
	for more := true; more && err == nil; more = next != nil {
		var page []Entry
		err = db.View(ctx, func(tx *store.Tx) (err error) {
			page, next, err = bySeq.Walk(tx, org, store.Range{After: next, Limit: 500})
			return err
		})
		if err == nil {
			at, err = follow(org, at, end, page)
		}
	}
	switch {
	case err != nil:
		return at.Seq, err
	case at.Seq < end.Seq:
		return at.Seq, &BrokenError{Org: org, Seq: at.Seq + 1, What: fmt.Sprintf("it ends here, and %d entries were written", end.Seq)}
	}
	return at.Seq, nil
}

// follow goes on along a chain. end is what the chain had when the walk began:
// the hash at that place must be the one.
func follow(org string, at, end head, page []Entry) (head, error) {
	for i := range page {
		e := &page[i]
		if e.Seq != at.Seq+1 {
			return at, &BrokenError{Org: org, Seq: at.Seq + 1, What: "the entry is missing"}
		}
		hash, err := link(at.Hash, e)
		if err != nil {
			return at, err
		}
		if hash != e.Hash || e.Seq == end.Seq && hash != end.Hash {
			return at, &BrokenError{Org: org, Seq: e.Seq, Entry: e.ID, What: "it was changed after it was written"}
		}
		at = head{Seq: e.Seq, Hash: hash}
	}
	return at, nil
}
