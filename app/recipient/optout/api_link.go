package optout

import (
	"context"
	"errors"
	"strings"

	"svc/app/api"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/store"
)

// LinkIn is what the public page needs of a request.
type LinkIn struct {
	Token          string `path:"token" maxLength:"200"`
	Lang           string `query:"lang" maxLength:"10" doc:"uz, ru or en."`
	Accept         string `header:"Accept"`
	AcceptLanguage string `header:"Accept-Language"`
}

// wants is the kind of answer that a client prefers by name; pages are for
// browsers, and for those who say nothing.
func (in LinkIn) wants(kind string) bool {
	for part := range strings.SplitSeq(in.Accept, ",") {
		if t, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(t), kind) {
			return true
		}
	}
	return false
}

func (in LinkIn) wantsJSON() bool { return in.wants("application/json") && !in.wants("text/html") }

// optOutPage asks for confirmation. It changes nothing: previews of links open it
// too.
func (s *Service) optOutPage(c *api.Call, in LinkIn) (api.Text, error) {
	var p page
	err := s.byToken(c, in, s.db.View, func(_ *store.Tx, _ *api.Call, o *org.Organization, r *recipient.Recipient, lang org.Language) error {
		at := asking
		if r.Consent == field.OptedOut {
			at = done
		}
		p = newPage(at, lang, o)
		return nil
	})
	return s.show(c, in, p, err)
}

// Confirmed is the answer to a program that opts somebody out.
type Confirmed struct {
	Status  field.Consent `json:"status"`
	Already bool          `json:"already"`
}

// confirmOptOut opts out. Nobody reads the body: a form, JSON,
// List-Unsubscribe=One-Click and nothing at all mean the same.
func (s *Service) confirmOptOut(c *api.Call, in LinkIn) (api.Either[Confirmed], error) {
	var p page
	var already bool
	err := s.byToken(c, in, s.db.Update, func(tx *store.Tx, customer *api.Call, o *org.Organization, r *recipient.Recipient, lang org.Language) error {
		already = r.Consent == field.OptedOut
		p = newPage(done, lang, o)
		if already && r.Suppressed {
			return nil
		}
		_, err := recipient.OptOut(tx, customer, s.bus, r.Who(), field.ByLink)
		return err
	})
	if err == nil && in.wantsJSON() {
		return api.Whole(Confirmed{field.OptedOut, already}), nil
	}
	text, err := s.show(c, in, p, err)
	return api.Streamed[Confirmed](text), err
}

// runner is View or Update.
type runner = func(context.Context, func(*store.Tx) error) error

// byToken runs f for the person of a link, in a call of that person within the
// organization. A recipient that is gone has no link any more.
func (s *Service) byToken(c *api.Call, in LinkIn, run runner, f func(*store.Tx, *api.Call, *org.Organization, *recipient.Recipient, org.Language) error) error {
	orgID, id, err := readToken(s.db, in.Token)
	if err != nil {
		return err
	}
	customer := *c
	customer.Org, customer.Caller = orgID, api.Caller{Kind: api.Customer, ID: id}
	return run(c, func(tx *store.Tx) error {
		r, err := recipient.Get(tx, orgID, id)
		if store.IsNotFound(err) {
			return ErrInvalidLink
		}
		if err != nil {
			return err
		}
		o, err := org.Get(tx, orgID)
		if store.IsNotFound(err) {
			return ErrInvalidLink
		}
		if err != nil {
			return err
		}
		return f(tx, &customer, &o, &r, speak(in.Lang, r.Language, in.AcceptLanguage, o.OptOutPage.Language))
	})
}

// show answers with a page, also when a person, not a program, opened a link that is
// not valid.
func (s *Service) show(c *api.Call, in LinkIn, p page, err error) (api.Text, error) {
	status := 200
	if errors.Is(err, ErrInvalidLink) && in.wants("text/html") {
		p, status, err = newPage(invalid, speak(in.Lang, "", in.AcceptLanguage, ""), nil), int(api.NotFound), nil
	}
	if err != nil {
		return api.Text{}, err
	}
	c.SetHeader("Content-Security-Policy", pagePolicy)
	c.SetHeader("Referrer-Policy", "same-origin")
	c.SetHeader("X-Content-Type-Options", "nosniff")
	c.SetHeader("X-Robots-Tag", "noindex, nofollow")
	c.SetHeader("Content-Language", string(p.Lang))
	c.SetHeader("Vary", "Accept, Accept-Language")
	return api.Text{Type: "text/html; charset=utf-8", Status: status, Write: p.write}, nil
}
