// Package telegram reaches people on Telegram, as the accounts of the people who
// signed in with it: the MTProto driver of package messenger, on gotd/td.
//
// It promises: what the platform answered is reported as a messenger.Error and never
// slept on or hidden; a message is sent with the random ids that its caller stored, so
// that sending again after a crash sends once; an update reaches Inbound at least once,
// before the place in the stream of updates is saved; a session that the platform
// revoked ends the connection with SessionEnded, and is never replaced by a new key; a
// server or proxy that does not answer is an error after a bounded time.
//
// It refuses: groups, channels, bots, the account's chat with itself, and the platform's
// service chat (777000) with its login codes; message texts, codes, passwords and
// sessions in logs and errors; proxies in the service's own network, unless the route
// allows them.
//
// Rules: contract 32.3, 46.4, 4.5 and 7.
package telegram

import (
	"cmp"
	"errors"
	"log/slog"
	"time"

	"github.com/gotd/td/telegram"
	"github.com/gotd/td/telegram/dcs"

	"svc/messenger"
)

// Options say which application the driver is, and where the platform is.
type Options struct {
	// AppID and AppHash are the deployment's own application at the platform.
	AppID   int
	AppHash string
	// Kind is messenger.MTProto unless the addresses are those of a simulator.
	Kind messenger.Kind
	// DCs are the data centres; the zero value means those of the platform.
	DCs dcs.List
	// DC is where new sign-ins begin, 2 by default; the platform moves them.
	DC int
	// PublicKeys are those of the servers; none means the platform's.
	PublicKeys []telegram.PublicKey
	// Version is shown to the owner in the list of active sessions.
	Version string
	// People are those of a simulator in this process; nil: there is none.
	People messenger.People
	// NewSession gives a session whose key a simulator knows already; nil: a sign-in agrees
	// on its key with the platform.
	NewSession func() ([]byte, error)
	Log        *slog.Logger

	// ConnectTimeout is how long a connection may take until it answers, 20 s by
	// default; CallTimeout how long a request may, 30 s by default.
	ConnectTimeout, CallTimeout time.Duration
	// SaveDelay is how long a new place in the stream of updates may wait to be
	// saved, 5 s by default: after a crash, what was handed over since comes again.
	SaveDelay time.Duration
	// Pause lies between two requests of a catch-up, 1 s by default.
	Pause time.Duration
	// Clock is compared with the platform's, time.Now for nil.
	Clock func() time.Time
}

// Driver is a messenger.Driver. It holds no connection of its own.
type Driver struct {
	o     Options
	skew  skew
	books chan struct{} // held by those who learn an address book
}

var (
	_ messenger.Driver  = (*Driver)(nil)
	_ messenger.Clocked = (*Driver)(nil)
)

// New makes a driver. It starts nothing and reads nothing.
func New(o Options) *Driver {
	o.Kind = cmp.Or(o.Kind, messenger.MTProto)
	o.DC = cmp.Or(o.DC, 2)
	o.Version = cmp.Or(o.Version, "1")
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 20*time.Second)
	o.CallTimeout = cmp.Or(o.CallTimeout, 30*time.Second)
	o.SaveDelay = cmp.Or(o.SaveDelay, 5*time.Second)
	o.Pause = cmp.Or(o.Pause, time.Second)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.DCs.Zero() {
		o.DCs = dcs.Prod()
	}
	return &Driver{o: o, books: make(chan struct{}, booksAtOnce)}
}

// Kind says which platform the driver talks to.
func (d *Driver) Kind() messenger.Kind { return d.o.Kind }

// device is what the platform's list of active sessions shows. It must not change from
// one connection of an account to the next: a session that changes its device looks
// stolen.
func (d *Driver) device() telegram.DeviceConfig {
	return telegram.DeviceConfig{
		DeviceModel:    "svc",
		SystemVersion:  "server",
		AppVersion:     d.o.Version,
		SystemLangCode: "en",
		LangCode:       "en",
	}
}

var errClosed = errors.New("the connection is closed")
