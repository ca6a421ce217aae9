// Package calendar speaks with the outside calendar: the consent of its owner with PKCE, tokens,
// which calendars there are, when one is busy, and its events.
//
// It promises that a request whose fate is not known is told from one that certainly was not
// made (platform.Uncertain, platform.Unsent), that a calendar about which the answer says an
// error is never taken for a free one, that answers are bounded, and that no address and no
// token is in an error. It refuses to try anything again, and to decide what an event means.
package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/messenger/platform"
)

// Options say which application speaks, and where the hosts are, without a slash at their ends.
type Options struct {
	ClientID, Secret string
	// Accounts has the consent page, Tokens gives tokens, API has the calendars.
	Accounts, Tokens, API string
	HTTP                  *http.Client
	Now                   func() time.Time
}

// Client calls the calendar. Safe for concurrent use.
type Client struct{ o Options }

// New makes the client.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{o}
}

// The scopes of the calendar, and those of knowing whose it is.
const (
	ScopeEvents = "https://www.googleapis.com/auth/calendar.events"
	ScopeList   = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
	ScopeBusy   = "https://www.googleapis.com/auth/calendar.freebusy"
)

// Scopes are all that is asked for.
func Scopes() []string { return []string{ScopeEvents, ScopeList, ScopeBusy, "openid", "email"} }

// Missing are the scopes of calendars that were not granted.
func Missing(granted []string) (out []string) {
	for _, s := range []string{ScopeEvents, ScopeList, ScopeBusy} {
		if !slices.Contains(granted, s) {
			out = append(out, s)
		}
	}
	return out
}

// Bounds of a call.
const (
	callTime  = 20 * time.Second
	maxAnswer = 4 << 20
	maxEvents = 250 // of a list
	maxPages  = 8
)

// Authorize is the consent page. It asks for consent even from somebody who gave it: only
// then is there a token that outlives the hour.
func (c *Client) Authorize(redirect, state, verifier string) string {
	q := url.Values{
		"client_id": {c.o.ClientID}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {strings.Join(Scopes(), " ")}, "state": {state},
		"access_type": {"offline"}, "prompt": {"consent"}, "code_challenge": {platform.Challenge(verifier)}, "code_challenge_method": {"S256"},
	}
	return c.o.Accounts + "/o/oauth2/v2/auth?" + q.Encode()
}

// Grant is what somebody allowed.
type Grant struct {
	Access  string // a secret
	Refresh string // a secret; "": the service gave none, and the access ends within the hour
	Expires time.Time
	Scopes  []string
}

type wireToken struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Expires int64  `json:"expires_in"`
	Scope   string `json:"scope"`
}

// mostLife bounds how long a token is believed to live, in seconds.
const mostLife = 24 * 60 * 60

func (c *Client) token(ctx context.Context, form url.Values) (g Grant, err error) {
	form.Set("client_id", c.o.ClientID)
	form.Set("client_secret", c.o.Secret)
	var w wireToken
	if err := c.form(ctx, "/token", form, &w); err != nil {
		return g, err
	}
	if w.Access == "" {
		return g, &platform.Error{Fault: platform.Uncertain, Text: "the answer has no token"}
	}
	life := time.Duration(min(max(w.Expires, 0), mostLife)) * time.Second
	return Grant{Access: w.Access, Refresh: w.Refresh, Expires: c.o.Now().UTC().Add(life), Scopes: strings.Fields(w.Scope)}, nil
}

// Exchange makes a grant of a code, with the verifier of the consent.
func (c *Client) Exchange(ctx context.Context, code, redirect, verifier string) (Grant, error) {
	return c.token(ctx, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier}})
}

// Refresh makes a new access. Its error is platform.TokenInvalid when the consent is over.
func (c *Client) Refresh(ctx context.Context, refresh string) (access string, expires time.Time, err error) {
	g, err := c.token(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	return g.Access, g.Expires, err
}

// Revoke ends a consent. One that is over already is no error.
func (c *Client) Revoke(ctx context.Context, token string) error {
	err := c.form(ctx, "/revoke", url.Values{"token": {token}}, nil)
	if e := platform.As(err); e != nil && e.Fault == platform.TokenInvalid {
		return nil
	}
	return err
}

// Email is whose consent it is.
func (c *Client) Email(ctx context.Context, access string) (string, error) {
	var w struct {
		Email string `json:"email"`
	}
	err := c.call(ctx, access, http.MethodGet, "/oauth2/v3/userinfo", nil, "", nil, &w)
	return w.Email, err
}

// Listed is a calendar that may be written to.
type Listed struct {
	ID, Name, Zone string
	Primary        bool
}

// Calendars lists those that may be written to, the primary one first.
func (c *Client) Calendars(ctx context.Context, access string) (out []Listed, err error) {
	q := url.Values{"minAccessRole": {"writer"}, "maxResults": {"100"}}
	for range maxPages {
		var w struct {
			Items []struct {
				ID       string `json:"id"`
				Summary  string `json:"summary"`
				Override string `json:"summaryOverride"`
				Zone     string `json:"timeZone"`
				Primary  bool   `json:"primary"`
				Role     string `json:"accessRole"`
				Deleted  bool   `json:"deleted"`
			} `json:"items"`
			Next string `json:"nextPageToken"`
		}
		if err := c.call(ctx, access, http.MethodGet, "/calendar/v3/users/me/calendarList", q, "", nil, &w); err != nil {
			return nil, err
		}
		for _, i := range w.Items {
			if i.Deleted || i.Role != "owner" && i.Role != "writer" {
				continue
			}
			name := i.Override
			if name == "" {
				name = i.Summary
			}
			out = append(out, Listed{i.ID, name, i.Zone, i.Primary})
		}
		if w.Next == "" {
			break
		}
		q.Set("pageToken", w.Next)
	}
	slices.SortStableFunc(out, func(a, b Listed) int {
		switch {
		case a.Primary && !b.Primary:
			return -1
		case b.Primary && !a.Primary:
			return 1
		}
		return 0
	})
	return out, nil
}

// Span is a time.
type Span struct{ Start, End time.Time }

// Busy are the times at which a calendar is taken. An error about the calendar inside the
// answer is an error.
func (c *Client) Busy(ctx context.Context, access, id string, from, to time.Time) (out []Span, err error) {
	body := map[string]any{"timeMin": from.UTC().Format(time.RFC3339), "timeMax": to.UTC().Format(time.RFC3339), "items": []any{map[string]string{"id": id}}}
	var w struct {
		Calendars map[string]struct {
			Errors []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
			Busy []struct {
				Start time.Time `json:"start"`
				End   time.Time `json:"end"`
			} `json:"busy"`
		} `json:"calendars"`
	}
	if err := c.call(ctx, access, http.MethodPost, "/calendar/v3/freeBusy", nil, "", body, &w); err != nil {
		return nil, err
	}
	of, ok := w.Calendars[id]
	if !ok {
		return nil, &platform.Error{Fault: platform.Uncertain, Text: "the answer does not speak of the calendar"}
	}
	if len(of.Errors) > 0 {
		fault := platform.Uncertain
		if of.Errors[0].Reason == "notFound" {
			fault = platform.Gone
		}
		return nil, &platform.Error{Fault: fault, Text: platform.Cut(of.Errors[0].Reason)}
	}
	if of.Busy == nil { // nothing is said, which is not that it is free
		return nil, &platform.Error{Fault: platform.Uncertain, Text: "the answer does not say when the calendar is taken"}
	}
	for _, b := range of.Busy {
		if !b.Start.Before(b.End) {
			return nil, &platform.Error{Fault: platform.Uncertain, Text: "the answer has a time that is none"}
		}
		out = append(out, Span(b))
	}
	return out, nil
}

func (c *Client) form(ctx context.Context, path string, form url.Values, out any) error {
	return c.do(ctx, http.MethodPost, c.o.Tokens+path, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, strings.NewReader(form.Encode()), out)
}

func (c *Client) call(ctx context.Context, access, method, path string, query url.Values, etag string, body, out any) error {
	h := http.Header{"Authorization": {"Bearer " + access}}
	if etag != "" {
		h.Set("If-Match", etag)
	}
	var r io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		h.Set("Content-Type", "application/json")
		r = bytes.NewReader(data)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.do(ctx, method, c.o.API+path, h, r, out)
}

func (c *Client) do(ctx context.Context, method, address string, h http.Header, body io.Reader, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return errors.New("calendar: the address of the calendar is not one")
	}
	req.Header = h
	resp, err := c.o.HTTP.Do(req)
	if err != nil {
		return platform.OfTransport(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil || len(data) > maxAnswer {
		return &platform.Error{Fault: platform.Uncertain, Text: "the answer was not whole"}
	}
	if resp.StatusCode >= 400 {
		return faultOf(resp.StatusCode, resp.Header, data)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &platform.Error{Fault: platform.Uncertain, Text: "the answer was not understood"}
	}
	return nil
}
