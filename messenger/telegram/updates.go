package telegram

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gotd/td/telegram"
	"github.com/gotd/td/telegram/updates"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
)

// updateQueue is how many updates of an account wait at most. What does not fit is left at
// the platform and asked for again: nothing is lost, and nobody waits.
const updateQueue = 64

// updateStream is the stream of updates of one account, put in order by the library's manager,
// and handed to Inbound one after the other.
type updateStream struct {
	c      *conn
	in     messenger.Inbound
	cursor *cursor.Cursor
	hashes cursor.Hashes

	queue chan fed
	wake  chan struct{} // something was missed
	gap   chan struct{} // the platform no longer has all updates

	catching atomic.Bool // a catch-up runs
	lost     atomic.Bool

	halt    context.CancelFunc // ends the manager; set before it can hand over anything
	refused error              // why Inbound ended it
}

// fed is one item of the queue: updates, or what an own request changed.
type fed struct {
	updates    tg.UpdatesClass
	pts, count int
}

var _ telegram.UpdateHandler = (*updateStream)(nil)

func newUpdateStream(c *conn, in messenger.Inbound) *updateStream {
	return &updateStream{
		c: c, in: in,
		cursor: &cursor.Cursor{Memory: c.memory, Delay: c.d.o.SaveDelay},
		hashes: cursor.Hashes{Memory: c.memory},
		queue:  make(chan fed, updateQueue),
		wake:   make(chan struct{}, 1),
		gap:    make(chan struct{}, 1),
	}
}

// Handle is called on the connection's goroutines and on those of sends: it never waits.
func (f *updateStream) Handle(_ context.Context, u tg.UpdatesClass) error {
	if u = cursor.Filter(u); u != nil {
		f.put(fed{updates: u})
	}
	return nil
}

func (f *updateStream) affected(pts, count int) { f.put(fed{pts: pts, count: count}) }

func (f *updateStream) put(x fed) {
	select {
	case f.queue <- x:
	default:
		f.ask()
	}
}

// ask lets the manager ask the platform for what was missed.
func (f *updateStream) ask() {
	f.lost.Store(true)
	nudge(f.wake)
}

// nudge wakes whoever waits on c, now or next.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run keeps a manager until ctx ends. When Inbound refuses something, the manager is
// ended before it saves its place, and a new one asks the platform for the same again.
func (f *updateStream) run(ctx context.Context, ready func()) error {
	once := sync.OnceFunc(ready)
	wait := time.Second
	for {
		begin := time.Now()
		err := f.manage(ctx, once)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e, ok := tgerr.As(err); ok && ends(e) != nil {
			return err
		}
		if time.Since(begin) > 2*time.Minute {
			wait = time.Second
		}
		if f.refused != nil {
			err, f.refused = f.refused, nil
		}
		f.c.d.o.Log.Warn("updates are read again from where they were taken", "after", wait, "err", err)
		if !pause(ctx, wait) {
			return ctx.Err()
		}
		wait = min(2*wait, time.Minute)
	}
}

// pause waits; false says that ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// manage runs one manager.
func (f *updateStream) manage(ctx context.Context, ready func()) error {
	ctx, f.halt = context.WithCancel(ctx)
	defer f.halt()
	f.cursor.Thaw()
	m := updates.New(updates.Config{
		Handler:                         telegram.UpdateHandlerFunc(f.take),
		Storage:                         f.cursor,
		UserAccessHasher:                &f.hashes,
		AccessHasher:                    cursor.NoChannels{},
		Logger:                          quiet{f.c.d.o.Log},
		OnTooLong:                       func() { nudge(f.gap) },
		MaxChannelDifferenceConcurrency: 1,
	})
	api := private{Client: f.c.line.client.API(), updates: f}
	var helpers sync.WaitGroup
	defer helpers.Wait()
	defer f.halt()
	return m.Run(ctx, api, f.c.self, updates.AuthOptions{OnStart: func(context.Context) {
		// Not earlier: a manager that does not run hands everything on unordered.
		helpers.Go(func() { f.pump(ctx, m, &helpers) })
		nudge(f.gap) // a catch-up may be left over from before a restart
		ready()
	}})
}

// pump feeds the manager, which may wait for Inbound.
func (f *updateStream) pump(ctx context.Context, m *updates.Manager, helpers *sync.WaitGroup) {
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case x := <-f.queue:
			if x.updates != nil {
				err = m.Handle(ctx, x.updates)
			} else {
				err = m.HandleAffected(ctx, 0, x.pts, x.count)
			}
		case <-f.wake:
		case <-f.gap:
			if f.cursor.Since() != 0 && !f.catching.Swap(true) {
				helpers.Go(func() { f.catchUp(ctx) })
			}
		}
		if err == nil && len(f.queue) == 0 && f.lost.Swap(false) {
			err = m.Handle(ctx, &tg.UpdatesTooLong{})
		}
		if err != nil {
			return
		}
	}
}

// flush saves the place at the end of the connection.
func (f *updateStream) flush() { f.cursor.Close() }
