package telegram

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/telegram/query"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
	"svc/messenger/telegram/fault"
)

// Bounds of a catch-up: it reads what came after the last known time, from the chats
// that changed last.
const (
	catchChats    = 200
	catchMessages = 500 // of one chat
	catchRetry    = time.Minute
	catchWait     = time.Hour // the longest wait of the platform that is obeyed here
)

// catchUp fetches messages from the chats after the platform said that it no longer has
// all updates (differenceTooLong). It remembers in the place that it is not done, so that
// a restart goes on.
func (f *updateStream) catchUp(ctx context.Context) {
	defer nudge(f.gap) // for a gap that came while this one ended
	defer f.catching.Store(false)
	for since := f.cursor.Since(); since != 0; since = f.cursor.Since() {
		err := f.chats(ctx, since)
		if err == nil {
			f.cursor.CaughtUp(since)
			continue
		}
		if ctx.Err() != nil {
			return
		}
		f.c.d.o.Log.Warn("messages that were missed could not be fetched; trying again", "after", catchRetry, "err", fault.In(err).Code)
		if !pause(ctx, catchRetry) {
			return
		}
	}
}

// chats visits the private chats whose last message is not older than since.
func (f *updateStream) chats(ctx context.Context, since int) error {
	api := tg.NewClient(paced{f.c})
	it := query.GetDialogs(api).BatchSize(100).Iter()
	for n := 0; n < catchChats && it.Next(ctx); n++ {
		d := it.Value()
		pinned := false
		if d, ok := d.Dialog.(*tg.Dialog); ok {
			pinned = d.Pinned
		}
		if d.Last == nil || d.Last.GetDate() < since {
			if pinned {
				continue // those come first, whatever their date
			}
			break
		}
		p, ok := d.Peer.(*tg.InputPeerUser)
		if !ok || p.UserID == cursor.ServiceChat || p.UserID == f.c.self {
			continue
		}
		if u, ok := d.Entities.User(p.UserID); ok && u.Bot {
			continue
		}
		if err := f.history(ctx, api, p, since); err != nil {
			return err
		}
	}
	return it.Err()
}

// history hands over the messages of one chat, the oldest first.
func (f *updateStream) history(ctx context.Context, api *tg.Client, p *tg.InputPeerUser, since int) error {
	it := query.Messages(api).GetHistory(p).BatchSize(100).Iter()
	var missed []*tg.Message
	who := people{}
	for len(missed) < catchMessages && it.Next(ctx) {
		v := it.Value()
		if v.Msg.GetDate() < since {
			break
		}
		if m, ok := v.Msg.(*tg.Message); ok {
			missed = append(missed, m)
		}
		if u, ok := v.Entities.User(p.UserID); ok {
			who[p.UserID] = u
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	for _, m := range slices.Backward(missed) {
		if err := f.message(ctx, m, who, f.in.Received); err != nil {
			return err
		}
	}
	return nil
}

// paced asks the platform one question after the other, with a pause before each, and
// obeys its waits: reading history is what the platform slows down first.
type paced struct{ c *conn }

// Invoke makes one request.
func (p paced) Invoke(ctx context.Context, in bin.Encoder, out bin.Decoder) error {
	for {
		if !pause(ctx, p.c.d.o.Pause) {
			return ctx.Err()
		}
		err := p.c.call(ctx, func(ctx context.Context, api *tg.Client) error { return api.Invoker().Invoke(ctx, in, out) })
		e := messenger.As(err)
		if e == nil || e.Fault != messenger.Flood && e.Fault != messenger.Wait {
			return err
		}
		if e.Wait > catchWait {
			return errors.Join(err, errors.New("the platform asks to wait too long"))
		}
		if !pause(ctx, e.Wait) {
			return ctx.Err()
		}
	}
}
