package audit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/app/api"
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

// keys are what entries are linked and ends of chains are signed with. Who has the
// database and not the master key has neither (contract 21.3).
type keys struct{ link, end []byte }

func keysOf(db *store.DB) (k keys, err error) {
	if k.link, err = db.DeriveKey("audit chain"); err != nil {
		return k, fmt.Errorf("audit: %w", err)
	}
	k.end, err = db.DeriveKey("audit chain end")
	return k, err
}

// plainLink is how versions without a key linked entries: SHA-256 over the hash before
// and the entry.
func plainLink(before string, e *Entry) (string, error) {
	data, err := e.covered(before)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// linkOf is the hash of an entry behind the one before it; before is "" for the first
// of a chain. It is HMAC with SHA-256, in hex.
func (k keys) linkOf(before string, e *Entry) (string, error) {
	data, err := e.covered(before)
	if err != nil {
		return "", err
	}
	return mac(k.link, data), nil
}

func (e *Entry) covered(before string) ([]byte, error) {
	data, err := json.Marshal(covered{
		e.Seq, e.ID, e.At, e.Actor, e.Action, e.Resource, e.Changes, e.Reason, e.IP, e.UserAgent, e.RequestID, e.SupportSessionID,
	})
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return append([]byte(before+"\n"), data...), nil
}

func mac(key, data []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// sign is what proves that a head was written by somebody with the key. It covers whose
// chain it ends.
func (k keys) sign(org string, h head) string {
	return mac(k.end, fmt.Appendf(nil, "%s\n%d\n%s", org, h.Seq, h.Hash))
}

func (k keys) signed(org string, h head) bool {
	return hmac.Equal([]byte(h.MAC), []byte(k.sign(org, h)))
}

func headOf(tx *store.Tx, org string) (head, error) {
	h, err := heads.Get(tx, org, headID)
	if errors.Is(err, store.ErrNotFound) {
		return head{ID: headID}, nil
	}
	return h, err
}

// add appends an entry to a chain.
func add(tx *store.Tx, org string, e *Entry, last head, k keys) error {
	var err error
	e.Seq = last.Seq + 1
	if e.Hash, err = k.linkOf(last.Hash, e); err != nil {
		return err
	}
	if err := entries.Insert(tx, org, e); err != nil {
		return err
	}
	next := head{ID: headID, Seq: e.Seq, Hash: e.Hash}
	if last.Seq == 0 && last.MAC == "" || k.signed(org, last) || e.Action == Keyed {
		next.MAC = k.sign(org, next)
	}
	// An end that somebody else wrote gets no signature from us: the service goes on, and
	// the chain is broken for ever.
	return heads.Put(tx, org, &next)
}

// Keyed is the action of the entry that marks where a chain of an older version became
// one that is linked with a key.
const Keyed = "audit.keyed"

// Migration goes over to chains that are linked with a key. Every chain that is there
// gets an entry that marks the change. Its hash covers the one before it, so that from
// then on the entries of older versions cannot be changed either: who counts their plain
// hashes again arrives at another one. Signed heads keep chains from being cut shorter.
var Migration = store.Migration{Name: "2026-11 audit: chains are linked with a key", Step: migrate}

func migrate(tx *store.Tx, after []byte) (next []byte, err error) {
	k, err := keysOf(tx.DB())
	if err != nil {
		return nil, err
	}
	owners, cursor, err := heads.Owners(tx, after, migrateAtATime)
	if err != nil {
		return nil, err
	}
	for _, org := range owners {
		last, err := headOf(tx, org)
		if err != nil {
			return nil, err
		}
		id := org
		if org == store.Platform {
			id = "platform"
		}
		e := Entry{
			ID: entries.NewID(tx), At: tx.DB().Now(), Action: Keyed, Resource: On("audit", id, ""),
			Actor: actorOf(api.System(context.Background(), org, tx.DB().Now())),
		}
		if err := add(tx, org, &e, last, k); err != nil {
			return nil, err
		}
	}
	return cursor, nil
}

// migrateAtATime is how many chains one transaction marks.
const migrateAtATime = 200

// nameOf is a chain as people and anchors know it.
func nameOf(org string) string {
	if org == store.Platform {
		return platformChain
	}
	return org
}

// platformChain is the name of the chain of the platform.
const platformChain = "platform"

func ownerOf(chain string) (org string, ok bool) {
	if chain == platformChain {
		return store.Platform, true
	}
	return chain, strings.HasPrefix(chain, "org_")
}
