package simulator

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/session"
	"github.com/gotd/td/telegram"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world/record"
)

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

// start runs a simulator for a test.
func start(t testing.TB, o Options) *Simulator {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	run(t, s)
	return s
}

// run serves until the test ends, or the returned function is called.
func run(t testing.TB, s *Simulator) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// client is one client of a test.
type client struct {
	*telegram.Client
	store *session.StorageMemory
	ctx   context.Context
	stop  func()
	done  chan error
}

func (c *client) API() *tg.Client { return tg.NewClient(c.Client) }

type clientOptions struct {
	session    []byte
	updates    telegram.UpdateHandler
	dial       dcs.DialFunc
	obfuscated bool
	protocol   dcs.Protocol
	middleware []telegram.Middleware
}

func resolver(o clientOptions) dcs.Resolver {
	p := dcs.PlainOptions{Dial: o.dial, Obfuscated: o.obfuscated, Protocol: o.protocol}
	return dcs.Plain(p)
}

// connect runs a client until the test ends.
func connect(t testing.TB, s *Simulator, o clientOptions) *client {
	t.Helper()
	c := &client{store: &session.StorageMemory{}, done: make(chan error, 1)}
	if o.session != nil {
		if err := c.store.StoreSession(context.Background(), o.session); err != nil {
			t.Fatal(err)
		}
	}
	c.Client = telegram.NewClient(1, "hash", telegram.Options{
		PublicKeys: []exchange.PublicKey{s.PublicKey()}, DC: s.DC(),
		DCList:         dcs.List{Options: []tg.DCOption{s.DCOption()}},
		Resolver:       resolver(o),
		SessionStorage: c.store, UpdateHandler: o.updates,
		Middlewares: o.middleware, Device: telegram.DeviceConfig{DeviceModel: "model", SystemVersion: "1", AppVersion: "2"},
	})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	ready := make(chan struct{})
	c.ctx = ctx
	go func() {
		c.done <- c.Run(ctx, func(ctx context.Context) error {
			close(ready)
			<-ctx.Done()
			return nil
		})
	}()
	c.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-c.done; err != nil && !errors.Is(err, context.Canceled) {
			t.Logf("the client ended: %v", err)
		}
	})
	t.Cleanup(c.stop)
	select {
	case <-ready:
	case err := <-c.done:
		t.Fatalf("the client did not connect: %v", err)
	case <-time.After(patience):
		t.Fatal("the client did not connect in time")
	}
	return c
}

// account connects a client that is signed in already.
func account(t testing.TB, s *Simulator, number string, updates telegram.UpdateHandler) *client {
	t.Helper()
	ses, err := s.Session(number)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, s, clientOptions{session: ses, updates: updates})
}

// peer resolves a username.
func (c *client) peer(t testing.TB, username string) *tg.InputPeerUser {
	t.Helper()
	r, err := c.API().ContactsResolveUsername(c.ctx, &tg.ContactsResolveUsernameRequest{Username: username})
	if err != nil {
		t.Fatal(err)
	}
	u := r.Users[0].(*tg.User)
	return &tg.InputPeerUser{UserID: u.ID, AccessHash: u.AccessHash}
}

// send sends a text and gives the message's id.
func (c *client) send(to tg.InputPeerClass, random int64, text string) (int, error) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	u, err := c.API().MessagesSendMessage(ctx, &tg.MessagesSendMessageRequest{Peer: to, Message: text, RandomID: random})
	if err != nil {
		return 0, err
	}
	return u.(*tg.UpdateShortSentMessage).ID, nil
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func logOf(t testing.TB, s *Simulator) []record.Sent {
	t.Helper()
	all, err := s.World().Log()
	ok(t, err)
	return all
}
