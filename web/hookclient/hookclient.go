// Package hookclient sends the attempts of webhooks over HTTP.
//
// It promises that the address that a name stands for is checked when it connects,
// and that exactly this address is connected to: a name that changes its answer
// gains nothing. It promises that TLS is verified, that no redirect is followed, and
// that an endpoint can take no more than the time of its attempt and 64 KB of
// memory. It refuses addresses of the service's own network, unless it is told that
// they are meant, and proxies of the environment, which would hide the address.
package hookclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"code.dny.dev/ssrf"

	"svc/app/hook"
)

const (
	// perHost is how many connections to one host are kept for the next attempt: as many
	// as there may be attempts at a time (hook.AtATime), because some hosts receive for
	// many endpoints. inAll is how many are kept of all hosts.
	perHost   = hook.AtATime
	inAll     = 4 * hook.AtATime
	keepFor   = 30 * time.Second
	maxHeader = 64 << 10
	// connectIn bounds what goes on behind an attempt that gave up.
	connectIn = 10 * time.Second
)

// Options of New.
type Options struct {
	// AllowPrivate lets endpoints lie in the service's own network.
	AllowPrivate bool
	// Roots are the authorities that vouch for endpoints; nil: those of the machine.
	Roots *x509.CertPool
	// Resolver finds addresses; nil: that of the machine.
	Resolver *net.Resolver
}

// Client is a hook.Sender. Safe for concurrent use.
type Client struct{ transport *http.Transport }

// New makes a client.
func New(o Options) *Client {
	dialer := &net.Dialer{Resolver: o.Resolver, Timeout: connectIn}
	if !o.AllowPrivate {
		// Control sees the address itself, after names were resolved and before
		// the first packet.
		dialer.Control = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return &Client{&http.Transport{
		Proxy:                  nil,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    connectIn,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // 64 KB are 64 KB
		MaxIdleConns:           inAll,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        keepFor,
		MaxResponseHeaderBytes: maxHeader,
	}}
}

// Close closes the connections that wait for another attempt.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Send makes one attempt and reads the answer. The context bounds all of it.
func (c *Client) Send(ctx context.Context, r hook.Request) hook.Answer {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return hook.Answer{Failure: hook.Connect}
	}
	for _, h := range r.Header {
		req.Header.Set(h[0], h[1])
	}
	// A connection that was kept may be closed by the endpoint just when it is used
	// again. Receivers must skip events that they know, so the transport may then
	// send it on a new one; this key says so and is not sent.
	req.Header["Idempotency-Key"] = []string{}
	if r.Begun != nil {
		r.Begun()
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return hook.Answer{Failure: failureOf(ctx, err)}
	}
	defer resp.Body.Close()
	a := hook.Answer{Status: resp.StatusCode}
	if resp.StatusCode >= 200 { // what follows another protocol's beginning is no answer
		// An answer that breaks off was given all the same: its status is known.
		a.Body, _ = io.ReadAll(io.LimitReader(resp.Body, hook.MaxAnswer))
	}
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return a
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		a.Failure = hook.Redirect
	default:
		a.Failure = hook.BadStatus
	}
	a.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	return a
}

// retryAfter reads that header: seconds, or a date; 0 for neither.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// failureOf says what kind of failure an error of the transport is.
func failureOf(ctx context.Context, err error) hook.Failure {
	var (
		dns     *net.DNSError
		timeout net.Error
	)
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork), errors.Is(err, ssrf.ErrInvalidHostPort):
		return hook.BlockedAddress
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return hook.Timeout
	case errors.As(err, &dns):
		return hook.DNS
	case isTLS(err):
		return hook.TLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return hook.Timeout
	}
	return hook.Connect
}

// isTLS says whether the two could not agree on a safe connection.
func isTLS(err error) bool {
	var (
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &unknown) ||
		errors.As(err, &name) || errors.As(err, &invalid) || errors.Is(err, http.ErrSchemeMismatch)
}
