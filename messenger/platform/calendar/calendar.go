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
	"crypto/sha256"
	"encoding/base64"
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

// Challenge is the PKCE challenge of a verifier (S256).
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Authorize is the consent page. It asks for consent even from somebody who gave it: only
// then is there a token that outlives the hour.
func (c *Client) Authorize(redirect, state, verifier string) string {
	q := url.Values{
		"client_id": {c.o.ClientID}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {strings.Join(Scopes(), " ")}, "state": {state},
		"access_type": {"offline"}, "prompt": {"consent"}, "code_challenge": {Challenge(verifier)}, "code_challenge_method": {"S256"},
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
	for _, b := range of.Busy {
		out = append(out, Span(b))
	}
	return out, nil
}

// Event is an event of a calendar.
type Event struct {
	ID   string
	ETag string // of the version that was read
	// Cancelled: it was deleted. Its id stays taken.
	Cancelled bool
	// Free: it takes no time.
	Free        bool
	Title, Note string
	Start, End  time.Time
	Zone        string // IANA, in which people see it
	// Action is what of ours wrote it last, "" for an event that is not ours.
	Action  string
	URL     string
	Created time.Time
}

// actionKey is the private property of an event that says what of ours wrote it last.
const actionKey = "svc_action"

type wireTime struct {
	At   time.Time `json:"dateTime,omitzero"`
	Date string    `json:"date,omitempty"`
	Zone string    `json:"timeZone,omitempty"`
}

// when is the time; a whole day begins at midnight of its zone.
func (t wireTime) when() time.Time {
	if t.Date == "" {
		return t.At
	}
	zone, err := time.LoadLocation(t.Zone)
	if err != nil {
		zone = time.UTC
	}
	day, err := time.ParseInLocation(time.DateOnly, t.Date, zone)
	if err != nil {
		return time.Time{}
	}
	return day
}

type wireProperties struct {
	Private map[string]string `json:"private,omitempty"`
}

type wireEvent struct {
	ID           string          `json:"id,omitempty"`
	ETag         string          `json:"etag,omitempty"`
	Status       string          `json:"status,omitempty"`
	Transparency string          `json:"transparency,omitempty"`
	Summary      string          `json:"summary,omitempty"`
	Description  string          `json:"description,omitempty"`
	Start        *wireTime       `json:"start,omitempty"`
	End          *wireTime       `json:"end,omitempty"`
	Properties   *wireProperties `json:"extendedProperties,omitempty"`
	Link         string          `json:"htmlLink,omitempty"`
	Created      *time.Time      `json:"created,omitempty"`
}

func (w *wireEvent) event() (e Event) {
	e = Event{
		ID: w.ID, ETag: w.ETag, Cancelled: w.Status == "cancelled", Free: w.Transparency == "transparent", Title: w.Summary, Note: w.Description, URL: w.Link,
	}
	if w.Start != nil {
		e.Start, e.Zone = w.Start.when().UTC(), w.Start.Zone
	}
	if w.End != nil {
		e.End = w.End.when().UTC()
	}
	if w.Properties != nil {
		e.Action = w.Properties.Private[actionKey]
	}
	if w.Created != nil {
		e.Created = w.Created.UTC()
	}
	return e
}

// written are the fields of an event that are sent; those that are empty stay as they are.
func written(e *Event) wireEvent {
	w := wireEvent{ID: e.ID, Summary: e.Title, Description: e.Note, Properties: &wireProperties{Private: map[string]string{actionKey: e.Action}}}
	if !e.Start.IsZero() {
		w.Start, w.End = timeIn(e.Start, e.Zone), timeIn(e.End, e.Zone)
	}
	return w
}

func timeIn(at time.Time, zone string) *wireTime {
	if place, err := time.LoadLocation(zone); err == nil {
		at = at.In(place)
	}
	return &wireTime{At: at, Zone: zone}
}

func eventsPath(calendar string, event ...string) string {
	path := "/calendar/v3/calendars/" + url.PathEscape(calendar) + "/events"
	for _, e := range event {
		path += "/" + url.PathEscape(e)
	}
	return path
}

// quietly keeps invitations from being sent.
func quietly() url.Values { return url.Values{"sendUpdates": {"none"}} }

// Insert makes an event with an id of ours. The error of an id that is taken is [Taken].
func (c *Client) Insert(ctx context.Context, access, calendar string, e *Event) (Event, error) {
	var out wireEvent
	err := c.call(ctx, access, http.MethodPost, eventsPath(calendar), quietly(), "", written(e), &out)
	return out.event(), err
}

// Get reads an event. One that never was is [platform.Gone].
func (c *Client) Get(ctx context.Context, access, calendar, id string) (Event, error) {
	var out wireEvent
	err := c.call(ctx, access, http.MethodGet, eventsPath(calendar, id), nil, "", nil, &out)
	return out.event(), err
}

// List reads the events that lie within a time, single ones of series, without those that
// were deleted.
func (c *Client) List(ctx context.Context, access, calendar string, from, to time.Time) (list []Event, err error) {
	q := url.Values{
		"timeMin": {from.UTC().Format(time.RFC3339)}, "timeMax": {to.UTC().Format(time.RFC3339)}, "singleEvents": {"true"}, "maxResults": {"250"},
	}
	for range maxPages {
		var w struct {
			Items []wireEvent `json:"items"`
			Next  string      `json:"nextPageToken"`
		}
		if err := c.call(ctx, access, http.MethodGet, eventsPath(calendar), q, "", nil, &w); err != nil {
			return nil, err
		}
		for i := range w.Items {
			if e := w.Items[i].event(); !e.Cancelled {
				list = append(list, e)
			}
		}
		if w.Next == "" || len(list) >= maxPages*maxEvents {
			break
		}
		q.Set("pageToken", w.Next)
	}
	return list, nil
}

// Patch changes an event that is still as its etag says, else the error is [Changed].
func (c *Client) Patch(ctx context.Context, access, calendar, etag string, e *Event) (Event, error) {
	w, out := written(e), wireEvent{}
	w.ID = ""
	err := c.call(ctx, access, http.MethodPatch, eventsPath(calendar, e.ID), quietly(), etag, w, &out)
	return out.event(), err
}

// Delete deletes an event that is still as its etag says, else the error is [Changed].
func (c *Client) Delete(ctx context.Context, access, calendar, etag, id string) error {
	return c.call(ctx, access, http.MethodDelete, eventsPath(calendar, id), quietly(), etag, nil, nil)
}

// Taken says whether an id was refused because an event has or had it, Changed whether somebody
// changed the event meanwhile.
func Taken(err error) bool { return codeOf(err) == http.StatusConflict }

// Changed says whether the event is not the version that was named.
func Changed(err error) bool { return codeOf(err) == http.StatusPreconditionFailed }

func codeOf(err error) int {
	if e := platform.As(err); e != nil {
		return e.Code
	}
	return 0
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
