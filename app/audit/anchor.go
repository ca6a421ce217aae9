package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"svc/store"
)

// Anchor is the end of a chain at a time, kept where who can change the database cannot
// change it. Later the chain must still have that hash at that place: then nothing up to
// there was rewritten or cut off since (contract 21.3).
type Anchor struct {
	Time  time.Time `json:"time"`
	Msg   string    `json:"msg"` // AnchorMessage
	Chain string    `json:"chain"`
	Seq   int64     `json:"seq"`
	Hash  string    `json:"hash"`
}

// AnchorMessage is what every anchor says, in logs and files: what has another message
// is none.
const AnchorMessage = "audit anchor"

// anchored is up to where a chain was anchored in one destination.
type anchored struct {
	ID  string    `json:"id"` // the destination
	Seq int64     `json:"seq"`
	At  time.Time `json:"at"`
}

var anchors = store.NewTable("audit_anchor", "", func(a *anchored) string { return a.ID }).Shared()

// anchorsAtATime bounds the chains that one transaction looks at, and how many anchors
// are delivered together.
const anchorsAtATime = 200

// Anchors delivers the ends of the chains that grew since they were anchored in a
// destination, or of all chains; the destination is any short name. What deliver took is
// noted afterwards: after an error, or when the process dies between the two, it comes
// again.
func Anchors(ctx context.Context, db *store.DB, destination string, all bool, deliver func(context.Context, []Anchor) error) error {
	for after, more := store.Cursor(nil), true; more; more = after != nil {
		var found []Anchor
		from := after
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			found, after, err = grown(tx, destination, all, from)
			return err
		})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		if err := deliver(ctx, found); err != nil {
			return err
		}
		err = db.Update(ctx, func(tx *store.Tx) error {
			for _, a := range found {
				org, _ := ownerOf(a.Chain)
				if err := anchors.Put(tx, org, &anchored{destination, a.Seq, a.Time}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// grown are the ends of one page of chains that have more entries than were anchored.
func grown(tx *store.Tx, destination string, all bool, after store.Cursor) (found []Anchor, next store.Cursor, err error) {
	owners, next, err := heads.Owners(tx, after, anchorsAtATime)
	if err != nil {
		return nil, nil, err
	}
	for _, org := range owners {
		h, err := headOf(tx, org)
		if errors.Is(err, store.ErrCorrupt) {
			continue // verifying says so; the others are anchored all the same
		}
		if err != nil {
			return nil, nil, err
		}
		a, err := anchors.Get(tx, org, destination)
		if err != nil && !store.IsNotFound(err) {
			return nil, nil, err
		}
		if all || h.Seq != a.Seq {
			found = append(found, Anchor{tx.DB().Now(), AnchorMessage, nameOf(org), h.Seq, h.Hash})
		}
	}
	return found, next, nil
}

const (
	maxAnchors    = 1_000_000
	maxAnchorLine = 64 << 10 // bytes
)

// ReadAnchors reads anchors from lines of JSON, such as the file that the service appends
// to, or its log: other lines are left out. It refuses a text without an anchor, and
// more of them than fit into memory.
func ReadAnchors(r io.Reader) (map[string][]Anchor, error) {
	out, n := map[string][]Anchor{}, 0
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxAnchorLine)
	line := 0
	for lines.Scan() {
		line++
		var a Anchor
		if !bytes.Contains(lines.Bytes(), []byte(AnchorMessage)) || json.Unmarshal(lines.Bytes(), &a) != nil || a.Msg != AnchorMessage {
			continue
		}
		org, ok := ownerOf(a.Chain)
		if !ok || a.Seq < 0 || len(a.Hash) > 64 {
			return nil, fmt.Errorf("line %d: this anchor names no chain, place or hash", line)
		}
		if n++; n > maxAnchors {
			return nil, fmt.Errorf("more than %d anchors; give the newest lines only", maxAnchors)
		}
		out[org] = append(out[org], Anchor{Time: a.Time, Chain: a.Chain, Seq: a.Seq, Hash: a.Hash})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", line+1, err)
	}
	if n == 0 {
		return nil, errors.New("no anchor in it: they are lines of JSON with the message \"" + AnchorMessage + "\"")
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b Anchor) int { return int(a.Seq - b.Seq) })
	}
	return out, nil
}

// passed compares a chain that was followed up to an entry with the anchors up to there.
func (w *walk) passed() error {
	for ; len(w.anchors) > 0 && w.anchors[0].Seq <= w.at.Seq; w.anchors = w.anchors[1:] {
		if a := w.anchors[0]; a.Seq == w.at.Seq && !strings.EqualFold(a.Hash, w.at.Hash) {
			return w.broken(a.Seq, "", "it or one before it was rewritten after %s, when its hash was anchored", a.Time.UTC().Format(time.RFC3339))
		}
	}
	return nil
}

// shortened says what anchors behind the end of a chain prove.
func (w *walk) shortened() error {
	if len(w.anchors) == 0 {
		return nil
	}
	a := w.anchors[len(w.anchors)-1]
	return w.broken(w.at.Seq+1, "", "it ends here, and at %s an anchor said that it has %d entries, so it was cut shorter or set back", a.Time.UTC().Format(time.RFC3339), a.Seq)
}
