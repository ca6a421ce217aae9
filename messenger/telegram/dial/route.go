// Package dial is the way to a data centre: dialled directly or through a proxy, watched for
// answers that mean something, with small writes joined.
//
// It promises to tell a proxy that does not answer from a messenger that does not. It refuses to
// read what is sent: that is encrypted above it.
package dial

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/transport"
	"golang.org/x/net/proxy"

	"svc/messenger"
)

const dialTimeout = 10 * time.Second

// guardian looks at every address that is dialled, after its name was resolved.
var guardian = ssrf.New(ssrf.WithAnyPort())

var (
	// ErrPrivate is the answer to an address in the network of the service.
	ErrPrivate = errors.New("the address is in the service's own network; use one that is reachable on the internet")
	errSecret  = errors.New("the secret of an MTProto proxy is 16 bytes, or dd and 16 bytes, or ee, 16 bytes and a host name, in hexadecimal or base64url")
	// ErrNoAnswer is the answer when a proxy said nothing in time.
	ErrNoAnswer  = errors.New("the proxy did not answer in time")
	errSocksAuth = errors.New("the proxy refuses this user name and password")
	errHungUp    = errors.New("the proxy ended the connection without an answer; its secret may be wrong")
)

// ResolverOf makes the way to the data centres. Its errors, at any time, are
// *messenger.RouteError when the route has a proxy.
func ResolverOf(via messenger.Route) (dcs.Resolver, error) {
	at := net.JoinHostPort(via.Host, strconv.Itoa(via.Port))
	switch via.Kind {
	case messenger.Direct:
		return plain((&net.Dialer{Timeout: dialTimeout}).DialContext), nil
	case messenger.SOCKS5:
		return plain(socksDial(via, at)), nil
	case messenger.HTTPConnect:
		return plain(connectDial(via, at)), nil
	case messenger.MTProtoProxy:
		secret, err := SecretOf(via.Secret)
		if err != nil {
			return nil, &messenger.RouteError{Stage: messenger.StageAuth, Err: err}
		}
		return mtproxy{at: at, secret: secret, dial: toProxy(via)}, nil
	default:
		return nil, &messenger.RouteError{Stage: messenger.StageDial, Err: errors.New("unknown kind of proxy: use SOCKS5, HTTP or MTPROTO")}
	}
}

// toProxy dials the proxy itself, and nothing in the service's own network unless the
// route allows it.
func toProxy(via messenger.Route) dcs.DialFunc {
	d := &net.Dialer{Timeout: dialTimeout}
	if !via.AllowPrivate {
		d.Control = guardian.Safe
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, address)
		if err != nil {
			if errors.Is(err, ssrf.ErrProhibitedIP) {
				err = ErrPrivate
			}
			return nil, &messenger.RouteError{Stage: messenger.StageDial, Err: err}
		}
		return c, nil
	}
}

// forward is a dialer for the SOCKS5 library.
type forward dcs.DialFunc

func (f forward) Dial(network, address string) (net.Conn, error) {
	return f(context.Background(), network, address)
}

func (f forward) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return f(ctx, network, address)
}

func socksDial(via messenger.Route, at string) dcs.DialFunc {
	var login *proxy.Auth
	if via.Username != "" || via.Password != "" {
		login = &proxy.Auth{User: via.Username, Password: via.Password}
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		d, err := proxy.SOCKS5("tcp", at, login, forward(toProxy(via)))
		if err != nil {
			return nil, &messenger.RouteError{Stage: messenger.StageDial, Err: err}
		}
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		c, err := d.(proxy.ContextDialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, socksError(ctx, err)
		}
		return c, nil
	}
}

// socksError finds the stage at which the library gave up. It has no types for that,
// only texts; the tests hold them against real servers.
func socksError(ctx context.Context, err error) error {
	var route *messenger.RouteError
	text := err.Error()
	switch {
	case errors.As(err, &route):
		return route
	case strings.Contains(text, "authentication"), strings.Contains(text, "invalid username/password"):
		return &messenger.RouteError{Stage: messenger.StageAuth, Err: errSocksAuth}
	case strings.Contains(text, "unknown error "):
		_, reply, _ := strings.Cut(text, "unknown error ")
		return &messenger.RouteError{Stage: messenger.StageDataCentre, Err: errors.New("the proxy answered: " + reply)}
	case ctx.Err() != nil, TimedOut(err): // the deadline of the connection strikes a little before that of ctx
		return &messenger.RouteError{Stage: messenger.StageHandshake, Err: ErrNoAnswer}
	default:
		return &messenger.RouteError{Stage: messenger.StageHandshake, Err: errors.New("this is no SOCKS5 proxy, or it broke off")}
	}
}

// SecretOf reads the secret of an MTProto proxy as its links carry it.
func SecretOf(s string) ([]byte, error) {
	s = strings.TrimSpace(s)
	b, err := hex.DecodeString(s)
	if err != nil {
		plain := strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
		if b, err = base64.RawURLEncoding.DecodeString(plain); err != nil {
			return nil, errSecret
		}
	}
	switch {
	case len(b) == 16,
		len(b) == 17 && b[0] == 0xdd,
		len(b) > 17 && len(b) <= 17+253 && b[0] == 0xee:
		return b, nil
	default:
		return nil, errSecret
	}
}

// mtproxy reaches data centres through an MTProto proxy, which chooses their addresses.
type mtproxy struct {
	at     string
	secret []byte
	dial   dcs.DialFunc
}

func (m mtproxy) through(ctx context.Context, get func(context.Context, dcs.Resolver) (transport.Conn, error)) (transport.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	stop := func() bool { return true }
	r, err := dcs.MTProxy(m.at, m.secret, dcs.MTProxyOptions{Dial: func(_ context.Context, network, address string) (net.Conn, error) {
		c, err := m.dial(ctx, network, address)
		if err == nil {
			// The library's handshake with a proxy of secret ee reads without an
			// end: only closing ends it.
			stop = context.AfterFunc(ctx, func() { _ = c.Close() })
		}
		return c, err
	}})
	if err != nil {
		return nil, &messenger.RouteError{Stage: messenger.StageAuth, Err: errSecret}
	}
	c, err := get(ctx, r)
	stop()
	var route *messenger.RouteError
	switch {
	case err == nil:
		return &FirstWord{Conn: c}, nil
	case errors.As(err, &route):
		return nil, route
	case ctx.Err() != nil:
		return nil, &messenger.RouteError{Stage: messenger.StageHandshake, Err: ErrNoAnswer}
	default:
		return nil, &messenger.RouteError{Stage: messenger.StageAuth, Err: errHungUp}
	}
}

// Primary dials the main address of a data centre.
func (m mtproxy) Primary(ctx context.Context, dc int, l dcs.List) (transport.Conn, error) {
	return m.through(ctx, func(ctx context.Context, r dcs.Resolver) (transport.Conn, error) { return r.Primary(ctx, dc, l) })
}

// MediaOnly dials an address for files.
func (m mtproxy) MediaOnly(ctx context.Context, dc int, l dcs.List) (transport.Conn, error) {
	return m.through(ctx, func(ctx context.Context, r dcs.Resolver) (transport.Conn, error) { return r.MediaOnly(ctx, dc, l) })
}

// CDN dials an address of the content network.
func (m mtproxy) CDN(ctx context.Context, dc int, l dcs.List) (transport.Conn, error) {
	return m.through(ctx, func(ctx context.Context, r dcs.Resolver) (transport.Conn, error) { return r.CDN(ctx, dc, l) })
}
