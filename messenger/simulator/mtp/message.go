package mtp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/mt"
	"github.com/gotd/td/proto"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"
)

// maxNested is how deep containers and packed messages may stand inside each other.
const maxNested = 4

// Call is one request of a client.
type Call struct {
	Session *Session
	// ID is the client's number of the message.
	ID int64
	// Buf stands at the request itself, its wrappers taken off.
	Buf *bin.Buffer
	// Device is how the client described itself, nil when it did not this time.
	Device *tg.InitConnectionRequest
	// NoUpdates says that the client wants no pushes on this connection.
	NoUpdates bool
}

// Acknowledge tells the client that the request arrived, before its answer.
func (c *Call) Acknowledge() {
	c.Session.send(proto.MessageFromServer, false, &mt.MsgsAck{MsgIDs: []int64{c.ID}})
}

// message takes one decrypted message apart.
func (c *conn) message(ctx context.Context, ses *Session, id int64, b *bin.Buffer, depth int) error {
	kind, err := b.PeekID()
	if err != nil {
		return err
	}
	if depth > maxNested {
		return errors.New("messages are nested too deep")
	}
	switch kind {
	case proto.MessageContainerTypeID:
		var in proto.MessageContainer
		if err := in.Decode(b); err != nil {
			return err
		}
		for _, m := range in.Messages {
			if err := c.message(ctx, ses, m.ID, &bin.Buffer{Buf: m.Body}, depth+1); err != nil {
				return err
			}
		}
		return nil
	case proto.GZIPTypeID:
		var z proto.GZIP
		if err := z.Decode(b); err != nil {
			return err
		}
		return c.message(ctx, ses, id, &bin.Buffer{Buf: z.Data}, depth+1)
	case mt.MsgsAckTypeID:
		return nil
	}
	if answer, err := service(kind, ses, id, b); answer != nil || err != nil {
		if err == nil {
			ses.send(proto.MessageServerResponse, false, answer)
		}
		return err
	}
	return c.request(ctx, ses, id, b)
}

// service answers what concerns the protocol only; nil for anything else.
func service(kind uint32, ses *Session, id int64, b *bin.Buffer) (bin.Encoder, error) {
	switch kind {
	case mt.PingDelayDisconnectRequestTypeID:
		var p mt.PingDelayDisconnectRequest
		if err := p.Decode(b); err != nil {
			return nil, err
		}
		return &mt.Pong{MsgID: id, PingID: p.PingID}, nil
	case mt.PingRequestTypeID:
		var p mt.PingRequest
		if err := p.Decode(b); err != nil {
			return nil, err
		}
		return &mt.Pong{MsgID: id, PingID: p.PingID}, nil
	case mt.GetFutureSaltsRequestTypeID:
		now := int(time.Now().Unix())
		return &mt.FutureSalts{ReqMsgID: id, Now: now, Salts: []mt.FutureSalt{
			{ValidSince: now - 1, ValidUntil: math.MaxInt32, Salt: salt(ses.Key)},
		}}, nil
	case mt.RPCDropAnswerRequestTypeID:
		return result(id, &mt.RPCAnswerDroppedRunning{})
	case mt.DestroySessionRequestTypeID:
		var d mt.DestroySessionRequest
		if err := d.Decode(b); err != nil {
			return nil, err
		}
		return &mt.DestroySessionNone{SessionID: d.SessionID}, nil
	}
	return nil, nil //nolint:nilnil // neither answered nor wrong: it is a request
}

// request runs one request beside the others of the connection.
func (c *conn) request(ctx context.Context, ses *Session, id int64, b *bin.Buffer) error {
	call := &Call{Session: ses, ID: id, Buf: b}
	if ses.repeated(id) {
		// It runs, or its answer is on the way.
		call.Acknowledge()
		return nil
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	c.srv.wg.Go(func() {
		defer func() { <-c.slots }()
		c.answer(ctx, call)
	})
	return nil
}

func (c *conn) answer(ctx context.Context, call *Call) {
	res, err := c.call(ctx, call)
	var refused *tgerr.Error
	switch {
	case errors.Is(err, ErrDrop):
		c.close()
		return
	case errors.Is(err, ErrSilent):
		call.Acknowledge()
		return
	case errors.As(err, &refused):
		res = &mt.RPCError{ErrorCode: refused.Code, ErrorMessage: refused.Message}
	case ctx.Err() != nil:
		return
	case err != nil || res == nil:
		c.srv.o.Log.Error("the simulator failed", "error", err)
		res = &mt.RPCError{ErrorCode: 500, ErrorMessage: "INTERNAL"}
	}
	r, err := result(call.ID, res)
	if err != nil {
		c.srv.o.Log.Error("the simulator could not encode an answer", "error", err)
		return
	}
	call.Session.send(proto.MessageServerResponse, true, r)
}

// call asks the handler; what a client sent must not end the process.
func (c *conn) call(ctx context.Context, call *Call) (res bin.Encoder, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.srv.o.Log.Error("the simulator panicked", "panic", p, "stack", string(debug.Stack()))
			res, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	if err := call.unwrap(); err != nil {
		return nil, err
	}
	return c.srv.o.Handler.Call(ctx, call)
}

func result(id int64, res bin.Encoder) (*proto.Result, error) {
	var b bin.Buffer
	if err := res.Encode(&b); err != nil {
		return nil, err
	}
	return &proto.Result{RequestMessageID: id, Result: b.Buf}, nil
}

var errInput = tgerr.New(400, "INPUT_REQUEST_INVALID")

// unwrap takes off what clients put around a request.
func (c *Call) unwrap() error {
	for range 2 * maxNested {
		kind, err := c.Buf.PeekID()
		if err != nil {
			return errInput
		}
		var d bin.Decoder
		switch kind {
		case tg.InvokeWithLayerRequestTypeID:
			d = &tg.InvokeWithLayerRequest{Query: rest{}}
		case tg.InitConnectionRequestTypeID:
			c.Device = &tg.InitConnectionRequest{Query: rest{}}
			d = c.Device
		case tg.InvokeWithoutUpdatesRequestTypeID:
			c.NoUpdates = true
			d = &tg.InvokeWithoutUpdatesRequest{Query: rest{}}
		default:
			return nil
		}
		if err := d.Decode(c.Buf); err != nil {
			return errInput
		}
	}
	return errInput
}

// rest leaves the wrapped request in the buffer.
type rest struct{}

func (rest) Decode(*bin.Buffer) error { return nil }
func (rest) Encode(*bin.Buffer) error { return errors.New("a wrapper is not written here") }
