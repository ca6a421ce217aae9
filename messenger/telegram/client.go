package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/gotd/td/session"
	"github.com/gotd/td/telegram"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/dial"
	"svc/messenger/telegram/fault"
)

// attempts is how often a connection that never stood is tried.
const attempts = 3

// line is one client of the library, and what is known about its connection. The
// library itself tries for ever and says nothing.
type line struct {
	client *telegram.Client
	ctx    context.Context
	stop   context.CancelCauseFunc

	mu     sync.Mutex
	stood  bool // it stood once: from then on it is made again for ever
	online bool
	lost   time.Time // since when it is not online
	last   error     // why it went down last
	deaths int
	blind  int // times in a row that the platform did not know the key

	back func() // told that the connection stands again; nil for nobody
	time func() // told that the platform said what time it is
}

// lineOptions are what differs between the lines of a sign-in and of an account.
type lineOptions struct {
	via         messenger.Route
	storage     session.Storage
	updates     telegram.UpdateHandler // nil: none are wanted
	middlewares []telegram.Middleware
	back        func() // told that a lost connection stands again; nil for nobody
}

func (d *Driver) newLine(ctx context.Context, o lineOptions) (*line, error) {
	r, err := dial.ResolverOf(o.via)
	if err != nil {
		return nil, err
	}
	l := &line{lost: time.Now(), back: o.back}
	l.ctx, l.stop = context.WithCancelCause(ctx)
	l.client = telegram.NewClient(d.o.AppID, d.o.AppHash, telegram.Options{
		PublicKeys:          d.o.PublicKeys,
		DC:                  d.o.DC,
		DCList:              d.o.DCs,
		Resolver:            dial.Watched{Resolver: r},
		SessionStorage:      o.storage,
		UpdateHandler:       o.updates,
		Middlewares:         o.middlewares,
		Device:              d.device(),
		Logger:              quiet{d.o.Log},
		DialTimeout:         d.o.ConnectTimeout,
		ReconnectionBackoff: again,
		OnDead:              l.died,
		OnConnectionState:   l.changed,
		OnSelfError: func(_ context.Context, err error) error {
			if e, ok := tgerr.As(err); ok && ends(e) != nil {
				return err
			}
			return nil
		},
	})
	l.time = func() {
		if said := l.client.Config().Date; said != 0 {
			d.skew.note(d.o.Clock(), said)
		}
	}
	return l, nil
}

// again is how long to wait before the next try: a thousand accounts behind a dead
// network should not dial hundreds of times a second.
func again() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = 100 * time.Millisecond
	b.MaxInterval = 30 * time.Second
	b.MaxElapsedTime = 0
	return b
}

// ends is the reason to end a connection for good, nil for none: the platform does not
// accept the session any more.
func ends(e *tgerr.Error) *messenger.Error {
	out := fault.Of(e)
	if out.Fault == messenger.SessionEnded || e.Code == 401 {
		return out
	}
	return nil
}

// died is told why a connection ended; another try follows unless it stops the line.
func (l *line) died(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = err
	l.deaths++
	if errors.Is(err, dial.ErrUnknownKey) {
		// Asked twice: it is the end of the account's sign-in.
		if l.blind++; l.blind > 1 {
			l.stop(dial.ErrUnknownKey)
		}
		return
	}
	if !l.stood && (final(err) || l.deaths >= attempts) {
		l.stop(err)
	}
}

// final says that another try would end the same way: a proxy that refuses, or an answer
// to the very first request that is not about the platform's own troubles.
func final(err error) bool {
	var route *messenger.RouteError
	if errors.As(err, &route) {
		return route.Stage == messenger.StageAuth || errors.Is(route, dial.ErrPrivate)
	}
	e, ok := tgerr.As(err)
	if !ok {
		return false
	}
	switch fault.Of(e).Fault {
	case messenger.Busy, messenger.Flood, messenger.Wait:
		return false
	default:
		return true
	}
}

func (l *line) changed(s telegram.ConnectionState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ready := s == telegram.ConnectionStateReady
	if l.online && !ready {
		l.lost = time.Now()
	}
	l.online = ready
	if !ready {
		return
	}
	l.time()
	if l.stood && l.back != nil {
		l.back()
	}
	l.stood, l.blind, l.deaths, l.last = true, 0, 0, nil
}

// run holds the line until f returns, ctx ends or the line is stopped. The library
// answers nil when it was cancelled, whatever f said.
func (l *line) run(f func(ctx context.Context) error) error {
	var ran bool
	var said error
	err := l.client.Run(l.ctx, func(ctx context.Context) error {
		ran = true
		said = f(ctx)
		return said
	})
	switch {
	case ran && said == nil:
		err = nil
	case ran && (err == nil || !errors.Is(said, context.Canceled)):
		err = said
	case err == nil:
		err = errClosed
	}
	err = l.why(err)
	l.stop(errClosed)
	return err
}

// why finds the reason behind err: the library says "context canceled" where it knows
// better.
func (l *line) why(err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(l.ctx); cause != nil && !errors.Is(cause, errClosed) && !isContext(cause) {
		return cause
	}
	if _, answered := tgerr.As(err); answered || messenger.As(err) != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil && !l.online {
		return l.last
	}
	return err
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// patience is how long a request that begins now may take: at most limit, and not longer
// than grace when the line does not stand. It is an error when nobody needs to wait.
func (l *line) patience(limit time.Duration) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.online || l.last == nil {
		return limit, nil
	}
	left := grace - time.Since(l.lost)
	if left <= 0 {
		return 0, fault.Unanswered(l.last)
	}
	return min(limit, left), nil
}

func (l *line) isOnline() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.online
}
