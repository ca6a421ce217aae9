package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/telegram"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/dial"
	"svc/messenger/telegram/fault"
)

// grace is how long a request waits for a connection that was just lost.
const grace = 3 * time.Second

// conn is the connection of one account.
type conn struct {
	d        *Driver
	memory   messenger.StateStore
	session  *boundSession
	line     *line
	updates  *updateStream // nil for an account that only sends
	contacts *contacts
	sentEcho sentEcho
	self     int64 // written before ready is closed

	ready chan struct{}
	done  chan struct{}

	mu  sync.Mutex
	end *messenger.Error // why it ended
	off bool             // Close or LogOut was called
}

var _ messenger.Conn = (*conn)(nil)

// Connect opens the connection of an account, and answers when the platform said who it
// belongs to.
func (d *Driver) Connect(ctx context.Context, a messenger.Account) (messenger.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.Unanswered(err)
	}
	c := &conn{d: d, memory: a.State, ready: make(chan struct{}), done: make(chan struct{})}
	kept, ok := bind(a.Session, a.State, func() { c.fail(dial.ErrUnknownKey) })
	if !ok {
		return nil, &messenger.Error{Fault: messenger.SessionEnded, Code: fault.CodeUnknownKey, Cause: errors.New("the session cannot be read")}
	}
	c.session, c.contacts = kept, newContacts(c, kept.key)
	o := lineOptions{via: a.Via, storage: kept, middlewares: []telegram.Middleware{telegram.MiddlewareFunc(c.watch)}, back: c.back}
	if a.Inbound != nil {
		c.updates = newUpdateStream(c, a.Inbound)
		o.updates = c.updates
	}
	// The life of a connection is not that of the call that opened it.
	l, err := d.newLine(context.WithoutCancel(ctx), o)
	if err != nil {
		return nil, fault.In(err)
	}
	c.line = l
	go c.live()
	limit := time.NewTimer(d.o.ConnectTimeout)
	defer limit.Stop()
	select {
	case <-c.ready:
		return c, nil
	case <-c.done:
		return nil, c.endedWith()
	case <-ctx.Done():
		err = ctx.Err()
	case <-limit.C:
		err = context.DeadlineExceeded
	}
	err = fault.In(l.why(err))
	_ = c.Close()
	return nil, err
}

// live is the whole life of the connection.
func (c *conn) live() {
	defer close(c.done)
	err := c.line.run(func(ctx context.Context) error {
		self, err := c.line.client.Self(ctx)
		if err != nil {
			return err
		}
		c.self = self.ID
		return c.serve(ctx)
	})
	if err != nil && !errors.Is(err, errClosed) {
		c.fail(fault.In(err))
	}
	if c.updates != nil {
		c.updates.flush()
	}
}

// serve hands over what arrives until ctx ends. Nothing waits for the address book.
func (c *conn) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var helper sync.WaitGroup
	defer helper.Wait()
	defer cancel()
	ready := func() {
		close(c.ready)
		helper.Go(func() { c.contacts.run(ctx) })
	}
	if c.updates == nil {
		ready()
		<-ctx.Done()
		return ctx.Err()
	}
	return c.updates.run(ctx, ready)
}

// back is told that a lost connection stands again. What was pushed to a dead one is not
// pushed again.
func (c *conn) back() {
	if c.updates != nil {
		c.updates.ask()
	}
	nudge(c.contacts.again)
}

// fail ends the connection for a reason; the first one stays.
func (c *conn) fail(e *messenger.Error) {
	c.mu.Lock()
	if c.end == nil && !c.off {
		c.end = e
	}
	c.mu.Unlock()
	if c.line != nil {
		c.line.stop(e)
	}
}

// endedWith is the reason for the end, never nil.
func (c *conn) endedWith() *messenger.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		return fault.Unanswered(errClosed)
	}
	return c.end
}

// watch looks at every answer: a session that ended, ends the connection, whichever
// request noticed; what an own message changed in the stream of updates is told to it.
func (c *conn) watch(next tg.Invoker) telegram.InvokeFunc {
	return func(ctx context.Context, in bin.Encoder, out bin.Decoder) error {
		err := next.Invoke(ctx, in, out)
		if err != nil {
			if e, ok := tgerr.As(err); ok {
				if reason := ends(e); reason != nil {
					if c.session.elsewhere(c.line.client.Config().ThisDC) {
						reason = dial.ErrUnknownKey
					}
					c.fail(reason)
				}
			}
			return err
		}
		switch out := out.(type) {
		case *tg.UpdatesBox:
			c.sentEcho.note(out.Updates)
			if c.updates != nil {
				_ = c.updates.Handle(ctx, out.Updates)
			}
		case *tg.MessagesAffectedMessages:
			c.affected(out.Pts, out.PtsCount)
		case *tg.MessagesAffectedHistory:
			c.affected(out.Pts, out.PtsCount)
		}
		return nil
	}
}

func (c *conn) affected(pts, count int) {
	if c.updates != nil {
		c.updates.affected(pts, count)
	}
}

// call makes one request, or several that belong together, and says what came of it.
func (c *conn) call(ctx context.Context, f func(ctx context.Context, api *tg.Client) error) error {
	select {
	case <-c.done:
		return c.endedWith()
	default:
	}
	limit, err := c.line.patience(c.d.o.CallTimeout)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = f(ctx, c.line.client.API())
	if err == nil {
		return nil
	}
	c.mu.Lock()
	end := c.end
	c.mu.Unlock()
	e, answered := tgerr.As(err)
	switch {
	case end != nil && (!answered || end.Fault == messenger.SessionEnded):
		return end // the first reason stays: what a call hears of an ended session follows from it
	case answered:
		return fault.Of(e)
	}
	return fault.In(c.line.why(err))
}

// Check asks the platform who the session belongs to.
func (c *conn) Check(ctx context.Context) (messenger.Profile, error) {
	var p messenger.Profile
	err := c.call(ctx, func(ctx context.Context, _ *tg.Client) error {
		u, err := c.line.client.Self(ctx)
		if err == nil {
			p = profileOf(u)
		}
		return err
	})
	return p, err
}

// LogOut ends the session at the platform, then the connection. A session that is
// already gone is as good as logged out.
func (c *conn) LogOut(ctx context.Context) error {
	c.leave(true) // whatever else is asked meanwhile hears that the session ended
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) error {
		_, err := api.AuthLogOut(ctx)
		return err
	})
	if e := messenger.As(err); e != nil && e.Fault == messenger.SessionEnded {
		err = nil
	}
	if err != nil {
		c.leave(false)
		return err
	}
	return c.Close()
}

// leave says whether the end of the connection is wanted, and so has no reason.
func (c *conn) leave(deliberate bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = deliberate
}

// Done is closed when the connection ended for good.
func (c *conn) Done() <-chan struct{} { return c.done }

// Err is the reason for the end; nil before it and after Close.
func (c *conn) Err() error {
	select {
	case <-c.done:
	default:
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		return nil
	}
	return c.end
}

// Online says whether the connection stands at the moment.
func (c *conn) Online() bool {
	select {
	case <-c.done:
		return false
	default:
		return c.line.isOnline()
	}
}

// Close ends the connection and waits for it.
func (c *conn) Close() error {
	c.leave(true)
	c.line.stop(errClosed)
	<-c.done
	return nil
}
