package calendar

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/session/consent"
	"svc/messenger/platform/calendar"
	"svc/store"
	"svc/store/queue"
)

const (
	provider      = "CALENDAR" // of consents
	callbackPath  = "/api/v1/ai/calendar/oauth/callback"
	defaultReturn = "/console/calendar"
	keepConsent   = time.Hour // after it was used
	connectTime   = time.Minute
)

// Codes that the callback returns with, beside those of every consent.
const (
	codeNoRefresh = "no_refresh_token"
	codeScopes    = "missing_scopes"
	codeNone      = "no_calendar"
)

// errUnconfigured refuses a calendar that this installation cannot reach.
var errUnconfigured = api.ErrState.WithMessage("No calendar is configured here: the settings google-client-id and google-client-secret are missing.")

// ConnectIn asks for the consent page.
type ConnectIn struct {
	Body struct {
		ReturnTo *string `json:"return_to" maxLength:"500" doc:"A path of this service, where the person goes afterwards." example:"/console/calendar"`
	}
}

func (s *Service) connect(c *api.Call, in ConnectIn) (out consent.Connecting, err error) {
	if s.out.Client == nil {
		return out, errUnconfigured
	}
	back, err := consent.ReturnTo(c, in.Body.ReturnTo, defaultReturn)
	if err != nil {
		return out, err
	}
	state, err := consent.State()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		x, err := consent.Begin(tx, c, state, consent.Consent{Provider: provider, ReturnTo: back, Redirect: s.base(c) + callbackPath})
		if err != nil {
			return err
		}
		out = consent.PageAt(c, s.out.Client.Authorize(x.Redirect, state, x.Verifier), &x)
		return audit.Write(tx, c, "calendar.connect_started", audit.On("calendar", "", ""))
	})
	return out, err
}

func (s *Service) base(c *api.Call) string {
	if s.out.PublicURL != "" {
		return s.out.PublicURL
	}
	return c.Base
}

// callback finishes a consent. Whatever happens, the person goes back to where they came from.
func (s *Service) callback(c *api.Call, in consent.Callback) (api.Redirect, error) {
	var x consent.Consent
	var ok bool
	err := s.db.Update(c, func(tx *store.Tx) (err error) {
		x, ok, err = consent.Consume(tx, c, provider, in.State, perm.AIManage, keepConsent)
		return err
	})
	switch {
	case err != nil:
		return api.Redirect{}, err
	case !ok || s.out.Client == nil:
		return consent.Back(defaultReturn, "error", consent.InvalidState), nil
	case in.Error != "" || in.Code == "":
		return consent.Back(x.ReturnTo, "error", consent.Denied), nil
	}
	code, err := s.accept(c, &x, in.Code)
	switch {
	case err != nil:
		return api.Redirect{}, err
	case code != "":
		return consent.Back(x.ReturnTo, "error", code), nil
	}
	return consent.Back(x.ReturnTo, "connected", "1"), nil
}

// accept makes a connection of a code, or says why there is none.
func (s *Service) accept(c *api.Call, x *consent.Consent, code string) (string, error) {
	g, err := s.out.Client.Exchange(c, code, x.Redirect, x.Verifier)
	if err != nil {
		s.log.Warn("calendar: a consent was not exchanged", "error", err)
		return consent.Failed, nil
	}
	switch {
	case len(calendar.Missing(g.Scopes)) > 0:
		return codeScopes, nil
	case g.Refresh == "":
		return codeNoRefresh, nil
	}
	email, err := s.out.Client.Email(c, g.Access)
	var list []calendar.Listed
	if err == nil {
		list, err = s.out.Client.Calendars(c, g.Access)
	}
	switch {
	case err != nil:
		s.log.Warn("calendar: the calendars were not read", "error", err)
		return consent.Failed, nil
	case len(list) == 0 || !list[0].Primary:
		return codeNone, nil
	}
	return "", s.db.Update(c, func(tx *store.Tx) error { return s.keep(tx, c, x, &g, email, list) })
}

// keep stores what was granted. A consent of another person that it replaces is ended.
func (s *Service) keep(tx *store.Tx, c *api.Call, by *consent.Consent, g *calendar.Grant, email string, list []calendar.Listed) error {
	x, err := connectionOf(tx, by.Org)
	if err != nil {
		return err
	}
	if x.Status == Connected && x.Email != email {
		if err := s.leave(tx, by.Org, &x); err != nil {
			return err
		}
	}
	if x.LeavingMail == email { // ending the old consent would end the new one
		x.LeavingMail = ""
		if err := sealedLeaving.Set(tx, by.Org, &x, nil); err != nil {
			return err
		}
	}
	now := tx.DB().Now()
	x.Email, x.Expires, x.Refreshing, x.ConnectedAt, x.ConnectedBy = email, g.Expires, time.Time{}, now, by.Person
	x.learn(list, now)
	if err := sealedTokens.SetJSON(tx, by.Org, &x, tokens{g.Access, g.Refresh}); err != nil {
		return err
	}
	if _, err := queue.Add(tx, checking{by.Org}, now.Add(checkEach), queue.Once(by.Org), queue.For(by.Org, theOne)); err != nil {
		return err
	}
	as := *c
	as.Org = by.Org
	return s.apply(tx, &as, by.Org, &x, WasConnected)
}

// learn takes over which calendars there are. The primary one is booked in.
func (x *Connection) learn(list []calendar.Listed, now time.Time) {
	x.Calendars, x.SyncedAt = nil, now
	for i := range list {
		x.Calendars = append(x.Calendars, Listed{list[i].ID, list[i].Name, list[i].Primary})
		if list[i].Primary {
			x.Calendar, x.Zone = list[i].ID, list[i].Zone
		}
	}
}

// leave wipes the tokens of a connection; the consent is ended at the service by a job.
func (s *Service) leave(tx *store.Tx, org string, x *Connection) error {
	var have tokens
	if err := sealedTokens.OpenJSON(tx.DB(), org, x, &have); err != nil {
		return err
	}
	x.Expires, x.Refreshing = time.Time{}, time.Time{}
	if err := sealedTokens.Set(tx, org, x, nil); err != nil || have.Refresh == "" {
		return err
	}
	x.LeavingMail = x.Email
	if err := sealedLeaving.SetJSON(tx, org, x, have); err != nil {
		return err
	}
	_, err := queue.Add(tx, leaving{org}, time.Time{}, queue.Once(org), queue.For(org, theOne), queue.Attempts(5))
	return err
}

// leaving is the job that ends a consent at the service.
type leaving struct {
	Org string `json:"org"`
}

func (leaving) Kind() string      { return "calendar.leave" }
func (leaving) Queue() queue.Name { return queue.Calendar }

func (s *Service) goodbye(ctx context.Context, j queue.Job, a leaving) error {
	var have tokens
	err := s.db.View(ctx, func(tx *store.Tx) error {
		x, err := connectionOf(tx, a.Org)
		if err != nil || x.Leaving.IsZero() {
			return err
		}
		return sealedLeaving.OpenJSON(tx.DB(), a.Org, &x, &have)
	})
	if err != nil {
		return err
	}
	if have.Refresh != "" && s.out.Client != nil {
		if err := s.out.Client.Revoke(ctx, have.Refresh); err != nil && j.Attempts < j.MaxAttempts {
			return err
		}
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		x, err := connectionTable.Get(tx, a.Org, theOne)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		x.LeavingMail = ""
		if err := sealedLeaving.Set(tx, a.Org, &x, nil); err != nil {
			return err
		}
		if err := connectionTable.Put(tx, a.Org, &x); err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}

func (s *Service) disconnect(c *api.Call, _ struct{}) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		x, err := connectionOf(tx, c.Org)
		if err != nil {
			return err
		}
		if err := s.leave(tx, c.Org, &x); err != nil {
			return err
		}
		if err := s.apply(tx, c, c.Org, &x, WasDisconnected); err != nil {
			return err
		}
		out = s.show(&x)
		return nil
	})
	return out, err
}

// Shown is the connection in the API (contract 14.1).
type Shown struct {
	Connected  bool       `json:"connected"`
	Status     Status     `json:"status" enum:"CONNECTED,NEEDS_REAUTH,DISCONNECTED"`
	Email      *string    `json:"account_email"`
	CalendarID *string    `json:"calendar_id" doc:"The calendar that is booked in: the primary one of the account."`
	Calendars  []Listed   `json:"calendars" nullable:"false" doc:"Those that the account may write to."`
	Zone       *string    `json:"timezone" doc:"Of the calendar; bookings are in that of their business."`
	SyncedAt   *time.Time `json:"last_synced_at" doc:"When the calendar was looked at last."`
	Configured bool       `json:"configured" doc:"This installation can reach calendars."`
	Missing    []string   `json:"missing_settings" nullable:"false"`
	Simulated  bool       `json:"simulated" doc:"The calendar is a simulator, which reaches nobody."`
	Busy       []BusyTime `json:"busy" nullable:"true" doc:"When the calendar is taken between from and to; null without both, or while it cannot be read."`
}

// BusyTime is a time at which the calendar is taken.
type BusyTime struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

func (s *Service) show(x *Connection) Shown {
	out := Shown{
		Connected: x.Status == Connected, Status: x.Status, Calendars: append([]Listed{}, x.Calendars...), SyncedAt: api.Optional(x.SyncedAt), Configured: s.out.Client != nil,
		Missing: append([]string{}, s.out.Missing...), Simulated: s.out.Simulated,
	}
	if x.Status != Disconnected {
		out.Email, out.CalendarID, out.Zone = api.Optional(x.Email), api.Optional(x.Calendar), api.Optional(x.Zone)
	} else {
		out.Calendars = []Listed{}
	}
	return out
}

// GetIn asks for the connection.
type GetIn struct {
	From time.Time `query:"from" doc:"Beginning of the time of busy." example:"2026-12-01T00:00:00Z"`
	To   time.Time `query:"to" doc:"Its end, at most 31 days later." example:"2026-12-08T00:00:00Z"`
}

// mostBusy bounds the time of which busy times are answered.
const mostBusy = 31 * 24 * time.Hour

func (s *Service) get(c *api.Call, in GetIn) (out Shown, err error) {
	if !in.From.IsZero() && !in.To.IsZero() && (!in.From.Before(in.To) || in.To.Sub(in.From) > mostBusy) {
		return out, api.Wrong("to", "must be behind from, by 31 days at most")
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		x, err := connectionOf(tx, c.Org)
		out = s.show(&x)
		return err
	})
	if err != nil || !out.Connected || in.From.IsZero() || in.To.IsZero() {
		return out, err
	}
	list, err := s.freeBusy(c, c.Org, in.From, in.To)
	if err != nil {
		s.log.Warn("calendar: busy times were not read", "error", err)
		return out, nil
	}
	out.Busy = []BusyTime{}
	for _, b := range list {
		out.Busy = append(out.Busy, BusyTime{b.Start.UTC(), b.End.UTC()})
	}
	return out, nil
}

// checking is the job that looks at a calendar.
type checking struct {
	Org string `json:"org"`
}

func (checking) Kind() string      { return "calendar.check" }
func (checking) Queue() queue.Name { return queue.Calendar }

// Times of looking at a calendar that answers, and at one that does not.
const (
	checkEach = 12 * time.Hour
	checkSoon = time.Hour
)

// check looks at the calendars of an organization, which also keeps its consent alive, again and
// again until it is disconnected.
func (s *Service) check(ctx context.Context, _ queue.Job, a checking) error {
	var list []calendar.Listed
	err := s.ask(ctx, a.Org, func(o *open) (err error) {
		list, err = s.out.Client.Calendars(ctx, o.access)
		return err
	})
	if err == nil && len(list) > 0 {
		err = s.db.Update(ctx, func(tx *store.Tx) error {
			x, err := connected(tx, a.Org)
			if err != nil {
				return err
			}
			x.learn(list, tx.DB().Now())
			return connectionTable.Put(tx, a.Org, &x)
		})
	}
	switch {
	case errors.Is(err, errNotConnected):
		return nil
	case err != nil:
		s.log.Warn("calendar: the calendars were not read", "org", a.Org, "error", err)
		return queue.Snooze(checkSoon)
	}
	return queue.Snooze(checkEach)
}
