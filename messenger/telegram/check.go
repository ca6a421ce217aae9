package telegram

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/mt"
	"github.com/gotd/td/proto"
	"github.com/gotd/td/transport"

	"svc/messenger"
	"svc/messenger/telegram/dial"
)

// CheckRoute dials a data centre through the route and asks it for the first number of
// a key exchange, which costs neither side anything (contract 38).
func (d *Driver) CheckRoute(ctx context.Context, via messenger.Route) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, d.o.ConnectTimeout)
	defer cancel()
	begin := time.Now()
	r, err := dial.ResolverOf(via)
	if err != nil {
		return 0, err
	}
	c, err := r.Primary(ctx, d.o.DC, d.o.DCs)
	if err != nil {
		return 0, stageOf(via, messenger.StageDial, err)
	}
	defer func() { _ = c.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if err := firstExchange(ctx, c); err != nil {
		stage := messenger.StageDataCentre
		if via.Kind == messenger.MTProtoProxy && (ctx.Err() != nil || dial.TimedOut(err)) {
			// Such a proxy may keep silent about a wrong secret as well.
			stage, err = messenger.StageHandshake, dial.ErrNoAnswer
		}
		return 0, stageOf(via, stage, err)
	}
	return time.Since(begin), nil
}

// stageOf makes a *messenger.RouteError of err, at the stage it names itself if it does.
func stageOf(via messenger.Route, stage messenger.Stage, err error) error {
	var route *messenger.RouteError
	if errors.As(err, &route) {
		return route
	}
	if via.Kind != messenger.Direct && stage == messenger.StageDataCentre {
		err = errors.New("no data centre of the messenger answered through the proxy")
	}
	return &messenger.RouteError{Stage: stage, Err: err}
}

// firstExchange is the first question and answer of the protocol: req_pq.
func firstExchange(ctx context.Context, c transport.Conn) error {
	nonce, err := crypto.RandInt128(rand.Reader)
	if err != nil {
		return err
	}
	var b bin.Buffer
	if err := (&mt.ReqPqMultiRequest{Nonce: nonce}).Encode(&b); err != nil {
		return err
	}
	m := proto.UnencryptedMessage{MessageID: int64(proto.NewMessageID(time.Now(), proto.MessageFromClient)), MessageData: b.Copy()}
	b.Reset()
	if err := m.Encode(&b); err != nil {
		return err
	}
	if err := c.Send(ctx, &b); err != nil {
		return err
	}
	b.Reset()
	if err := c.Recv(ctx, &b); err != nil {
		return err
	}
	if err := m.Decode(&b); err != nil {
		return err
	}
	var res mt.ResPQ
	if err := res.Decode(&bin.Buffer{Buf: m.MessageData}); err != nil {
		return err
	}
	if res.Nonce != nonce {
		return errors.New("the answer is to another question")
	}
	return nil
}
