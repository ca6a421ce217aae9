package channel

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"time"

	"svc/app/api"
	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/queue"
)

// erasure is what became of a request to delete what is held of a person of a network.
type erasure struct {
	ID       string    `json:"id"` // the code
	Who      string    `json:"who"`
	Accounts int       `json:"accounts"`
	At       time.Time `json:"at"`
}

// erasureLife is how long its page is there.
const erasureLife = 365 * 24 * time.Hour

var (
	erasures = store.NewTable("channel_erasure", "", func(e *erasure) string { return e.ID }).Global()
	byWho    = erasures.Unique("who", func(e *erasure) store.Key { return store.Text(e.Who) })
	byAge    = erasures.Index("at", func(e *erasure) store.Key { return store.Time(e.At) })
)

// signedIn reads the signed request of a form.
func (s *Service) signed(raw []byte) (out platform.Deauthorized, err error) {
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return out, errSignature
	}
	if out, err = graph.SignedRequest(form.Get("signed_request"), s.o.Secrets...); err != nil {
		return out, errSignature.WithCause(err)
	}
	return out, nil
}

// allowedBy are the accounts that a person of a network allowed.
func allowedBy(tx *store.Tx, person string) ([]store.Of[Account], error) {
	list, _, err := byPeople.Walk(tx, store.Range{Span: store.Is(store.Text(person)), Limit: 1000})
	return list, err
}

// ErasureIn is a signed request in a form.
type ErasureIn struct{ api.RawIn }

// Deauthorized is the answer to a network that tells of a removal.
type Deauthorized struct {
	Accounts int `json:"accounts" doc:"How many are to be connected again."`
}

// deauthorize notes that somebody removed the application: their accounts must be connected
// again, and what proved that they may be spoken for is gone.
func (s *Service) deauthorize(c *api.Call, in ErasureIn) (out Deauthorized, err error) {
	who, err := s.signed(in.Raw())
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		out.Accounts = 0
		list, err := allowedBy(tx, who.UserID)
		if err != nil {
			return err
		}
		for i := range list {
			did, err := s.refuse(tx, list[i].Org, &list[i].Record, "The owner removed the application at the network.")
			if err != nil {
				return err
			}
			if did {
				out.Accounts++
			}
		}
		return nil
	})
	return out, err
}

// refuse makes an account one that must be connected again, without its token.
func (s *Service) refuse(tx *store.Tx, org string, a *Account, reason string) (bool, error) {
	if err := s.wipe(tx, org, a); err != nil {
		return false, err
	}
	err := s.apply(tx, api.System(context.Background(), org, tx.DB().Now()), org, a, TokenWasRefused, reason)
	if errors.Is(err, api.ErrState) {
		return false, accounts.Put(tx, org, a)
	}
	return err == nil, err
}

// Erasing is the answer that the network shows to the person.
type Erasing struct {
	URL  string `json:"url"`
	Code string `json:"confirmation_code"`
}

// askErasure deletes what is held of the person who connected accounts: their access, their
// name at the network, and what webhooks of these accounts said. Conversations belong to the
// organization and stay.
func (s *Service) askErasure(c *api.Call, in ErasureIn) (out Erasing, err error) {
	who, err := s.signed(in.Raw())
	if err != nil {
		return out, err
	}
	fresh, err := newCode()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		e, err := erasureOf(tx, who.UserID, fresh)
		if err != nil {
			return err
		}
		n, err := s.erase(tx, who.UserID)
		if err != nil {
			return err
		}
		e.Accounts = max(e.Accounts, n) // the same ones, when they ask again
		out = Erasing{URL: s.base(c) + "/api/v1/channels/meta/data-deletion/" + e.ID, Code: e.ID}
		return erasures.Put(tx, store.Platform, &e)
	})
	return out, err
}

// erasureOf is what somebody asked for before, else a new one with that code.
func erasureOf(tx *store.Tx, user, code string) (erasure, error) {
	h, err := tx.Hash("channel erasure", user)
	if err != nil {
		return erasure{}, err
	}
	e, err := byWho.Find(tx, store.Platform, store.Text(h))
	if store.IsNotFound(err) {
		return erasure{ID: code, Who: h, At: tx.DB().Now()}, nil
	}
	return e, err
}

func newCode() (string, error) {
	b := make([]byte, 15)
	_, err := rand.Read(b)
	return strings.ToLower(base32.StdEncoding.EncodeToString(b)), err
}

// erase deletes, and says of how many accounts.
func (s *Service) erase(tx *store.Tx, person string) (int, error) {
	list, err := allowedBy(tx, person)
	if err != nil {
		return 0, err
	}
	for i := range list {
		a := &list[i].Record
		if _, err := s.refuse(tx, list[i].Org, a, "The owner asked the network to delete their data."); err != nil {
			return 0, err
		}
		if err := forgetOwner(tx, list[i].Org, a); err != nil {
			return 0, err
		}
		if err := forgetBodies(tx, a.ExternalID); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// forgetOwner forgets who allowed an account. One that was never connected is nothing else.
func forgetOwner(tx *store.Tx, org string, a *Account) error {
	if a.ConnectedAt.IsZero() {
		return accounts.Delete(tx, org, a.ID)
	}
	a.Grantor, a.ScopedID = "", ""
	if a.Platform == platform.Photo { // the account is the person
		a.Name, a.Username = "", ""
	}
	return accounts.Put(tx, org, a)
}

// bodiesAtOnce bounds the bodies that one transaction forgets; a job forgets the others.
const bodiesAtOnce = 1000

// forgetBodies forgets what webhooks of an account said; that they came stays known. Those that wait
// were not read yet: the job forgets them once they were.
func forgetBodies(tx *store.Tx, externalID string) error {
	list, _, err := ofAccount.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Text(externalID)), Limit: bodiesAtOnce})
	for i := range list {
		if list[i].Status == Waiting {
			continue
		}
		if err := errors.Join(body.Set(tx, store.Platform, &list[i], nil), deliveries.Put(tx, store.Platform, &list[i])); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	waits, err := inOrder.First(tx, store.Platform, store.All())
	if store.IgnoreNotFound(err) != nil || len(list) < bodiesAtOnce && waits.ID == "" {
		return store.IgnoreNotFound(err)
	}
	_, err = queue.Add(tx, forgetting{externalID}, tx.DB().Now().Add(forgetAgain), queue.Once(externalID))
	return err
}

// forgetting is the job that forgets the bodies that a deletion left.
type forgetting struct {
	Account string `json:"account"` // as the network names it
}

func (forgetting) Kind() string      { return "channel.forget" }
func (forgetting) Queue() queue.Name { return queue.Maintenance }

const forgetAgain = 2 * time.Second

func (s *Service) forget(ctx context.Context, j queue.Job, f forgetting) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(queue.Finish(tx, j), forgetBodies(tx, f.Account))
	})
}

// CodeIn is the path of a deletion.
type CodeIn struct {
	Code string `path:"code" maxLength:"64"`
}

// erasureStatus is the page of a deletion. It shows nothing of the person.
func (s *Service) erasureStatus(c *api.Call, in CodeIn) (out api.Text, err error) {
	var e erasure
	err = s.db.View(c, func(tx *store.Tx) error {
		e, err = erasures.Get(tx, store.Platform, in.Code)
		return err
	})
	if err != nil {
		return out, err
	}
	said := "Nothing was held of the person who asked."
	if e.Accounts > 0 {
		accounts := "1 account"
		if e.Accounts > 1 {
			accounts = fmt.Sprintf("%d accounts", e.Accounts)
		}
		said = fmt.Sprintf("What was held of the person who connected accounts here is deleted, for %s: the access, their identity at the network, "+
			"and the notices that the network sent. Conversations with customers belong to the organization that had them; it keeps them under its own rules.", accounts)
	}
	text := "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Data deletion</title></head>" +
		"<body style=\"font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem\"><h1>Data deletion</h1><p>" + html.EscapeString(said) +
		"</p><p>Asked for on " + e.At.Format(time.DateOnly) + ". Code: " + html.EscapeString(e.ID) + "</p></body></html>\n"
	return api.Text{Type: "text/html; charset=utf-8", Write: func(w io.Writer) error { _, err := io.WriteString(w, text); return err }}, nil
}

// forgetErasures removes pages that were there for a year.
func forgetErasures(tx *store.Tx, limit int) (int, error) {
	list, _, err := byAge.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(-erasureLife)), Limit: limit})
	for i := range list {
		if err := erasures.Delete(tx, store.Platform, list[i].ID); err != nil {
			return i, err
		}
	}
	return len(list), err
}
