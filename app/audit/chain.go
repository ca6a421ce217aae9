package audit

import (
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
