// Package simulator is a server of the messenger's protocol, with a world of phones and
// people behind it, that the production driver connects to as it does to the platform.
//
// It promises the platform's behaviour as far as a client can tell: keys, sign-in with
// codes and two-step passwords, messages and albums, updates with their sequence, the
// platform's errors, and its bad days, which scenes bring about (package world). What
// was answered is kept: after a kill and a restart on the same folder clients find their
// sessions, message ids and updates, and a random id is never taken twice. It listens on
// the loopback by default, bounds what any client can make it hold, and no bytes from a
// client end it. It refuses to be a platform: no groups, no channels, at most two data
// centres.
//
// Package simulator/mtp is the wire, simulator/world the state, the scenes and the log of
// what was accepted; this package answers requests with the one and over the other.
package simulator

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/gotd/td/crypto"
	"github.com/gotd/td/exchange"
	"github.com/gotd/td/session"
	"github.com/gotd/td/tg"
	"golang.org/x/sync/errgroup"

	"svc/messenger/simulator/mtp"
	"svc/messenger/simulator/world"
)

// Options of a simulator.
type Options struct {
	// Dir keeps everything; "" keeps it in memory.
	Dir string
	// Listen is where it can be reached, "127.0.0.1:0" for "".
	Listen string
	// Advertise is the address that clients are told to come back to, as host:port;
	// "" is the one at which they came.
	Advertise string
	// Script sets scenes (world.Script).
	Script string
	// Demo fills the world with the demonstration (world.Demo).
	Demo bool
	// Second opens a second data centre, on a port of its own. Numbers can belong to it
	// (world.Phone).
	Second bool
	// Keep is how many messages and updates of an account are remembered, 1,000 for 0.
	Keep   int
	Limits mtp.Limits
	Log    *slog.Logger
	// Clock is the time on the platform, time.Now for nil. Connections keep their own.
	Clock func() time.Time
}

// Simulator is the server. Open makes it, Run starts it.
type Simulator struct {
	o     Options
	key   exchange.PrivateKey
	world *world.World
	wire  *mtp.Server
	ln    net.Listener
	live  live
	// second is the other data centre, nil for none.
	second *second
	calls  map[uint32]method

	closing sync.Once
	closed  error
}

// Open reads the state and begins to listen. Nothing is answered before Run.
func Open(o Options) (*Simulator, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	key, err := serverKey(o.Dir)
	if err != nil {
		return nil, err
	}
	w, err := world.Open(world.Options{Dir: o.Dir, Now: o.Clock, Demo: o.Demo, Keep: o.Keep})
	if err != nil {
		return nil, fmt.Errorf("the state of the simulator cannot be read: %w", err)
	}
	s := &Simulator{o: o, key: key, world: w}
	s.calls = s.methods()
	s.live.init()
	if err := w.Script(o.Script); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if s.ln, err = net.Listen("tcp", cmp.Or(o.Listen, "127.0.0.1:0")); err != nil { //nolint:noctx // it listens at once
		return nil, errors.Join(err, w.Close())
	}
	w.OnChange(s.deliver)
	s.wire = s.newWire(DataCentre)
	if o.Second {
		if err := s.openSecond(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Run serves until ctx ends, then closes every connection and the state.
func (s *Simulator) Run(ctx context.Context) error {
	var other errgroup.Group
	if s.second != nil {
		other.Go(func() error { return s.second.wire.Serve(ctx, s.second.ln) })
	}
	err := s.wire.Serve(ctx, s.ln)
	return errors.Join(err, other.Wait(), s.Close())
}

// Close gives up what Open took; after Run it has been called.
func (s *Simulator) Close() error {
	s.closing.Do(func() {
		_ = s.ln.Close() // closed already when Run ends
		if s.second != nil {
			_ = s.second.ln.Close()
		}
		s.closed = s.world.Close()
	})
	return s.closed
}

// Addr is where it listens.
func (s *Simulator) Addr() net.Addr { return s.ln.Addr() }

// PublicKey is what clients know the server by. It stays as long as the folder.
func (s *Simulator) PublicKey() exchange.PublicKey { return s.key.Public() }

// DC is the number of the data centre.
func (s *Simulator) DC() int { return DataCentre }

// DCOption is where clients find the first data centre.
func (s *Simulator) DCOption() tg.DCOption { return option(DataCentre, s.Addr().String()) }

// DCOptions are where clients find all data centres.
func (s *Simulator) DCOptions() []tg.DCOption {
	out := []tg.DCOption{s.DCOption()}
	if s.second != nil {
		out = append(out, option(SecondDataCentre, s.second.ln.Addr().String()))
	}
	return out
}

// World is where scenes are set and looked at.
func (s *Simulator) World() *world.World { return s.world }

// Conns is how many connections are open.
func (s *Simulator) Conns() int {
	n := s.wire.Conns()
	if s.second != nil {
		n += s.second.wire.Conns()
	}
	return n
}

// Online is how many sessions of an account are connected.
func (s *Simulator) Online(number string) int {
	id, err := s.world.AccountID(number)
	if err != nil {
		return 0
	}
	return s.live.count(id)
}

// Session signs a new client in to a number, without a key exchange and without a code,
// and gives what it keeps, in the format of the client library: accounts for tests by
// the thousand. A number that is not known is added.
func (s *Simulator) Session(number string) ([]byte, error) {
	auth := newKey()
	if err := s.world.SignInKey(auth, number); err != nil {
		return nil, err
	}
	return s.session(auth)
}

// NewSession is the session of a client that is signed in to nothing yet, in the format of
// the client library: as after a key exchange, of which the client's half takes a third
// of a second of one processor.
func (s *Simulator) NewSession() ([]byte, error) {
	auth := newKey()
	if err := s.world.SaveKey(auth, nameless(DataCentre)); err != nil {
		return nil, err
	}
	return s.session(auth)
}

func newKey() crypto.AuthKey {
	var k crypto.Key
	_, _ = rand.Read(k[:]) // never fails
	return k.WithID()
}

func (s *Simulator) session(auth crypto.AuthKey) ([]byte, error) {
	return json.Marshal(struct {
		Version int
		Data    session.Data
	}{1, session.Data{
		DC: DataCentre, Addr: s.Addr().String(), AuthKey: auth.Value[:], AuthKeyID: auth.ID[:], Salt: mtp.Salt(auth),
		Config: session.Config{ThisDC: DataCentre, DCOptions: []tg.DCOption{s.DCOption()}},
	}})
}
