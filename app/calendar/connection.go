// Package calendar books times: the connection of an organization to its calendar, and the
// actions that customers, the AI and people ask for.
//
//	slot  when a business can be booked
//
// It promises that tokens are sealed, refreshed by one at a time, and shown to nobody; that an
// action reaches the calendar once, under an id that is derived from it, whatever is lost or
// repeated; that hours and free time are looked at again in the moment of booking; and that
// events which people made are never changed (contract 14). It knows no shape of the wire:
// package messenger/platform/calendar does. It refuses to speak with customers: whoever hears
// of [Settled] does.
package calendar

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/messenger/platform/calendar"
	"svc/store"
)

// Status is how the connection is (contract 60.70).
type Status string

// The statuses.
const (
	Connected    Status = "CONNECTED"
	NeedsReauth  Status = "NEEDS_REAUTH"
	Disconnected Status = "DISCONNECTED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Connected, NeedsReauth, Disconnected} }

// Event is what happens to the connection.
type Event string

// The events.
const (
	WasConnected    Event = "connected"
	ConsentEnded    Event = "needs_reauth"
	WasDisconnected Event = "disconnected"
)

// Events lists them.
func Events() []Event { return []Event{WasConnected, ConsentEnded, WasDisconnected} }

// connections is the life of a connection.
var connections = api.Table[Status, Event]{
	{From: []Status{Disconnected, NeedsReauth, Connected}, On: WasConnected, To: Connected},
	{From: []Status{Connected}, On: ConsentEnded, To: NeedsReauth},
	{From: []Status{Connected, NeedsReauth}, On: WasDisconnected, To: Disconnected},
}

// Listed is a calendar that the account may write to.
type Listed struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Primary bool   `json:"primary"`
}

// Connection is the calendar of an organization.
type Connection struct {
	ID        string    `json:"id"`
	Status    Status    `json:"status"`
	Email     string    `json:"email,omitempty"`
	Calendar  string    `json:"calendar,omitempty"`
	Zone      string    `json:"zone,omitempty"` // of the calendar
	Calendars []Listed  `json:"calendars,omitempty"`
	SyncedAt  time.Time `json:"synced_at,omitzero"`
	// Refreshing: somebody asks for a new access, until then at most.
	Refreshing time.Time    `json:"refreshing,omitzero"`
	Expires    time.Time    `json:"expires,omitzero"` // of the access
	Tokens     store.Sealed `json:"tokens,omitzero"`
	// Leaving is a consent that is to be ended at the service.
	Leaving     store.Sealed `json:"leaving,omitzero"`
	LeavingMail string       `json:"leaving_mail,omitempty"`
	ConnectedBy string       `json:"connected_by,omitempty"`
	ConnectedAt time.Time    `json:"connected_at,omitzero"`
	UpdatedAt   time.Time    `json:"updated_at"`
}

// tokens are what is sealed of a connection.
type tokens struct {
	Access  string `json:"access"`
	Refresh string `json:"refresh"`
}

const theOne = "calendar" // the key of the one record of an organization

var (
	connectionTable = store.NewTable("calendar_connection", "", func(c *Connection) string { return c.ID })
	sealedTokens    = connectionTable.Sealed("tokens", func(c *Connection) *store.Sealed { return &c.Tokens })
	sealedLeaving   = connectionTable.Sealed("leaving", func(c *Connection) *store.Sealed { return &c.Leaving })
)

// Tables are what a store that holds calendars is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{connectionTable, actionTable, bookingTable} }

// connectionOf is the calendar of an organization; one that it never connected is DISCONNECTED.
func connectionOf(tx *store.Tx, org string) (Connection, error) {
	c, err := connectionTable.Get(tx, org, theOne)
	if store.IsNotFound(err) {
		return Connection{ID: theOne, Status: Disconnected}, nil
	}
	return c, err
}

// connected is connectionOf where there is one, else errNotConnected.
func connected(tx *store.Tx, org string) (Connection, error) {
	x, err := connectionOf(tx, org)
	if err == nil && x.Status != Connected {
		err = errNotConnected
	}
	return x, err
}

// IsConnected says whether an organization has a calendar that can be asked.
func IsConnected(tx *store.Tx, org string) (bool, error) {
	c, err := connectionOf(tx, org)
	return c.Status == Connected, err
}

// Outside is what this installation can reach, as the program that starts it knows.
type Outside struct {
	// Client asks the outside calendar; nil: nobody can be asked.
	Client *calendar.Client
	// Missing are the settings that are needed still.
	Missing []string
	// PublicURL is where people reach the service, "" when requests tell it.
	PublicURL string
	// Simulated: the calendar is a simulator, which reaches nobody.
	Simulated bool
}

// Service connects calendars and books times.
type Service struct {
	db   *store.DB
	out  Outside
	bus  *signal.Bus // nil: nobody listens
	log  *slog.Logger
	seen figures
	busy cache
}

// New makes the service. It starts nothing.
func New(db *store.DB, out Outside, bus *signal.Bus, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if len(out.Missing) > 0 {
		out.Client = nil
	}
	return &Service{db: db, out: out, bus: bus, log: log}
}

// Kinds of notifications.
const (
	needsReauth   = notify.Kind("CALENDAR_NEEDS_REAUTH")
	actionPending = notify.Kind("CALENDAR_ACTION_PENDING")
)

// apply is the one writer of the status of a connection. What the table does not have is
// api.ErrState.
func (s *Service) apply(tx *store.Tx, c *api.Call, org string, x *Connection, on Event) error {
	to, ok := connections.Next(x.Status, on)
	if !ok {
		return api.ErrState
	}
	before := x.Status
	x.Status, x.UpdatedAt = to, tx.DB().Now()
	if err := connectionTable.Put(tx, org, x); err != nil {
		return err
	}
	tx.Notify(topic(org))
	err := audit.WriteTo(tx, org, c, "calendar."+string(on), audit.On("calendar", "", x.Email), audit.Changed("status", before, x.Status))
	if err != nil {
		return err
	}
	if on == WasConnected {
		if err := notify.SettleKind(tx, org, needsReauth, theOne); err != nil {
			return err
		}
		return event.Emit(tx, org, event.CalendarConnected, map[string]any{"calendar_id": x.Calendar})
	}
	if err := event.Emit(tx, org, event.CalendarDisconnected, map[string]any{"calendar_id": x.Calendar, "reason": reasons[on]}); err != nil {
		return err
	}
	if on == WasDisconnected {
		return notify.SettleKind(tx, org, needsReauth, theOne)
	}
	return notify.Send(tx, org, notify.Notice{
		Kind: needsReauth, Title: "The calendar must be connected again", Body: "Its owner's consent is over. What waits for a confirmation is kept.",
		Resource: &notify.Resource{Type: "calendar", ID: theOne}, Link: "/calendar",
	})
}

var reasons = map[Event]string{ConsentEnded: "NEEDS_REAUTH", WasDisconnected: "DISCONNECTED"}

// topic is what the store is told when the connection of an organization changed.
func topic(org string) string { return "calendar:" + org }

// Times of tokens.
const (
	leastLife    = time.Minute // of an access that is used
	refreshLease = 30 * time.Second
	lookAgain    = time.Second
)

// errNotConnected: there is no calendar to ask.
var errNotConnected = errors.New("calendar: no calendar is connected")

// open is a calendar that may be asked.
type open struct {
	org, id string
	access  string
}

// access opens the calendar of an organization. refused is an access that the calendar did not
// take, "" for none: then another one is asked for. One process at a time asks for a new access;
// the others wait for it.
func (s *Service) access(ctx context.Context, org, refused string) (o open, err error) {
	if s.out.Client == nil {
		return o, errNotConnected
	}
	changed, stop := s.db.Listen(topic(org))
	defer stop()
	for {
		var have tokens
		var mine, wait bool
		if err := s.db.View(ctx, func(tx *store.Tx) error {
			o, have, wait, err = s.look(tx, org, refused)
			return err
		}); err != nil || o.access != "" {
			return o, err
		}
		if !wait {
			if mine, err = s.take(ctx, org, refused); err != nil {
				return o, err
			}
		}
		if mine {
			return s.refresh(ctx, org, have.Refresh)
		}
		timer := time.NewTimer(lookAgain)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return o, ctx.Err()
		}
		timer.Stop()
	}
}

// look reads the tokens; o.access is set when they are good, wait when somebody refreshes them.
func (s *Service) look(tx *store.Tx, org, refused string) (o open, have tokens, wait bool, err error) {
	x, err := connected(tx, org)
	if err != nil {
		return o, have, false, err
	}
	if err := sealedTokens.OpenJSON(tx.DB(), org, &x, &have); err != nil {
		return o, have, false, err
	}
	now := tx.DB().Now()
	if have.Access != refused && x.Expires.Sub(now) > leastLife {
		return open{org, x.Calendar, have.Access}, have, false, nil
	}
	return o, have, x.Refreshing.After(now), nil
}

// take makes the refresh this process's, unless somebody else has it or was quicker.
func (s *Service) take(ctx context.Context, org, refused string) (mine bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		mine = false
		o, _, wait, err := s.look(tx, org, refused)
		if err != nil || wait || o.access != "" {
			return err
		}
		x, err := connectionOf(tx, org)
		if err != nil {
			return err
		}
		mine, x.Refreshing = true, tx.DB().Now().Add(refreshLease)
		return connectionTable.Put(tx, org, &x)
	})
	return mine, err
}

// refresh asks for a new access and keeps it, or notes that the consent is over.
func (s *Service) refresh(ctx context.Context, org, with string) (o open, err error) {
	access, expires, failed := s.out.Client.Refresh(ctx, with)
	err = s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		x, err := connected(tx, org)
		if err != nil {
			return err
		}
		var have tokens
		if err := sealedTokens.OpenJSON(tx.DB(), org, &x, &have); err != nil {
			return err
		}
		if have.Refresh != with { // it was connected anew meanwhile
			return errNotConnected
		}
		x.Refreshing = time.Time{}
		e := platform.As(failed)
		switch {
		case e != nil && e.Fault == platform.TokenInvalid:
			x.Expires = time.Time{}
			return errors.Join(sealedTokens.Set(tx, org, &x, nil), s.apply(tx, api.System(ctx, org, tx.DB().Now()), org, &x, ConsentEnded))
		case failed != nil:
			tx.Notify(topic(org))
			return connectionTable.Put(tx, org, &x)
		}
		have.Access, x.Expires = access, expires
		o = open{org, x.Calendar, access}
		tx.Notify(topic(org))
		return errors.Join(sealedTokens.SetJSON(tx, org, &x, have), connectionTable.Put(tx, org, &x))
	})
	if e := platform.As(failed); err == nil && e != nil && e.Fault == platform.TokenInvalid {
		return open{}, errNotConnected
	}
	return o, errors.Join(failed, err)
}

// ask calls the calendar, with a new access where the first is not taken.
func (s *Service) ask(ctx context.Context, org string, f func(o *open) error) error {
	o, err := s.access(ctx, org, "")
	if err != nil {
		return err
	}
	err = f(&o)
	if e := platform.As(err); e == nil || e.Fault != platform.TokenInvalid {
		return err
	}
	if o, err = s.access(ctx, org, o.access); err != nil {
		return err
	}
	return f(&o)
}
