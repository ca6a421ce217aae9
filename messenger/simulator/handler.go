package simulator

import (
	"context"
	"errors"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/mtp"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/scene"
)

// handler answers the wire.
type handler struct {
	*Simulator
	dc int // whose wire it is
}

// Key finds an authorization key.
func (h handler) Key(id [8]byte) (crypto.AuthKey, bool) { return h.world.Key(id, nameless(h.dc)) }

// SaveKey keeps an authorization key.
func (h handler) SaveKey(k crypto.AuthKey) error { return h.world.SaveKey(k, nameless(h.dc)) }

// Gone forgets a session.
func (h handler) Gone(s *mtp.Session) { h.live.gone(s) }

// call is one request on its way through the methods.
type call struct {
	*mtp.Call
	ctx     context.Context
	dc      int   // that was asked
	account int64 // 0 before signing in
	fate    scene.Fate
}

func (c *call) key() [8]byte { return c.Session.Key.ID }

// method answers one kind of request.
type method struct {
	// public methods are answered before signing in.
	public bool
	answer func(c *call) (bin.Encoder, error)
}

// request is a type of requests that decodes itself.
type request[T any] interface {
	*T
	bin.Decoder
}

var errInput = tgerr.New(400, "INPUT_REQUEST_INVALID")

// on makes a method of a function from a decoded request to an answer.
func on[T any, P request[T]](f func(*call, P) (bin.Encoder, error)) method {
	return method{answer: func(c *call) (bin.Encoder, error) {
		q := P(new(T))
		if err := q.Decode(c.Buf); err != nil {
			return nil, errInput
		}
		return f(c, q)
	}}
}

// public is on for methods that need no account.
func public[T any, P request[T]](f func(*call, P) (bin.Encoder, error)) method {
	m := on(f)
	m.public = true
	return m
}

// done answers a request that has nothing to do here.
func done[T any, P request[T]](*call, P) (bin.Encoder, error) { return &tg.BoolTrue{}, nil }

// Call answers a request of a client.
func (h handler) Call(ctx context.Context, q *mtp.Call) (bin.Encoder, error) {
	kind, err := q.Buf.PeekID()
	if err != nil {
		return nil, errInput
	}
	if d := q.Device; d != nil {
		h.world.Describe(q.Session.Key.ID, world.Device{
			AppID: d.APIID, Model: d.DeviceModel, System: d.SystemVersion, App: d.AppVersion, Lang: d.LangCode, SystemLang: d.SystemLangCode,
		})
	}
	c := &call{Call: q, ctx: ctx, dc: h.dc}
	account, refused := h.world.AccountOf(c.key())
	if refused == nil {
		c.account = account
		h.live.here(q.Session, account, !q.NoUpdates)
	}
	m, ok := h.calls[kind]
	switch {
	case !ok && refused == nil:
		return nil, tgerr.New(400, "INPUT_METHOD_INVALID")
	case !m.public && refused != nil:
		return nil, refused
	case !m.public && h.second != nil:
		if err := h.elsewhere("USER_MIGRATE_", h.dc, h.world.HomeOf(account)); err != nil {
			return nil, err
		}
	}
	res, err := m.answer(c)
	if failed := h.world.Commit(); failed != nil {
		return nil, failed // nothing may be answered that could be lost
	}
	h.deliver()
	return c.fulfil(res, err)
}

// fulfil lets an answer meet its fate.
func (c *call) fulfil(res bin.Encoder, err error) (bin.Encoder, error) {
	if c.fate.Delay > 0 {
		c.Acknowledge()
		t := time.NewTimer(c.fate.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-c.ctx.Done():
			return nil, c.ctx.Err()
		}
	}
	switch c.fate.Loss {
	case scene.Dropped:
		return nil, mtp.ErrDrop
	case scene.Unanswered:
		return nil, mtp.ErrSilent
	case scene.Answered:
	}
	if err == nil && res == nil {
		err = errors.New("a method has neither an answer nor an error")
	}
	return res, err
}

// methods are all that is answered, by the number of their type.
func (s *Simulator) methods() map[uint32]method {
	all := map[uint32]method{}
	for _, group := range []map[uint32]method{s.signInMethods(), s.peopleMethods(), s.messageMethods(), s.fileMethods()} {
		for id, m := range group {
			all[id] = m
		}
	}
	return all
}
