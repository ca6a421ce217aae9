package dial

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/gotd/td/telegram/dcs"

	"svc/messenger"
)

// maxAnswer bounds what an HTTP proxy may say before the tunnel: bytes.
const maxAnswer = 16 << 10

// connectDial dials through the CONNECT method of an HTTP proxy (RFC 9110, 9.3.6).
func connectDial(via messenger.Route, at string) dcs.DialFunc {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		c, err := toProxy(via)(ctx, "tcp", at)
		if err != nil {
			return nil, err
		}
		// Nothing else ends a read from a proxy that says nothing.
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		t, err := Tunnel(c, via, address)
		if !stop() && err == nil {
			err = ErrNoAnswer
		}
		if err == nil {
			return t, nil
		}
		_ = c.Close()
		var route *messenger.RouteError
		switch {
		case errors.As(err, &route):
			return nil, route
		case ctx.Err() != nil:
			return nil, &messenger.RouteError{Stage: messenger.StageHandshake, Err: ErrNoAnswer}
		default:
			return nil, &messenger.RouteError{Stage: messenger.StageHandshake, Err: errors.New("this is no HTTP proxy, or it broke off")}
		}
	}
}

// Tunnel asks for the way to address.
func Tunnel(c net.Conn, via messenger.Route, address string) (net.Conn, error) {
	var q strings.Builder
	fmt.Fprintf(&q, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", address, address)
	if via.Username != "" || via.Password != "" {
		login := base64.StdEncoding.EncodeToString([]byte(via.Username + ":" + via.Password))
		fmt.Fprintf(&q, "Proxy-Authorization: Basic %s\r\n", login)
	}
	if _, err := io.WriteString(c, q.String()+"\r\n"); err != nil {
		return nil, err
	}
	limit := &io.LimitedReader{R: c, N: maxAnswer}
	r := bufio.NewReader(limit)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, err
	}
	if err := RefusalOf(res.StatusCode); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	// What follows is the tunnel, whatever length the proxy announced (RFC 9110, 9.3.6).
	early, _ := r.Peek(r.Buffered())
	return &tunnelled{Conn: c, r: io.MultiReader(strings.NewReader(string(early)), c)}, nil
}

// RefusalOf says at which stage a proxy with this answer failed.
func RefusalOf(status int) error {
	switch {
	case status/100 == 2:
		return nil
	case status == http.StatusProxyAuthRequired:
		return &messenger.RouteError{Stage: messenger.StageAuth, Err: errors.New("the proxy asks for another user name and password (407)")}
	case status/100 == 5:
		return &messenger.RouteError{Stage: messenger.StageDataCentre, Err: fmt.Errorf("the proxy does not reach the data centre (%d)", status)}
	default:
		return &messenger.RouteError{Stage: messenger.StageHandshake, Err: fmt.Errorf("the proxy refuses CONNECT (%d)", status)}
	}
}

// tunnelled gives back what was read too far while waiting for the answer.
type tunnelled struct {
	net.Conn
	r io.Reader
}

// Read reads from the tunnel.
func (t *tunnelled) Read(p []byte) (int, error) { return t.r.Read(p) }
