// Package web fetches pages of the web and makes their text.
//
// It promises that no address of the service's own network is ever connected to, whatever a
// name or a redirect says, unless it is told that such are meant: what is checked is the
// address itself, when it connects. It promises bounds: http and https at their own ports,
// MaxRedirects, maxTime, MaxPage bytes unpacked, HTML, plain text and PDF alone; that
// robots.txt is heeded where it is asked for (RFC 9309); and that the text is what a reader of
// the page sees.
//
// It refuses to run scripts, to keep cookies, and to follow links.
package web

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"code.dny.dev/ssrf"
)

// Bounds (contract 13.21).
const (
	MaxRedirects = 5
	MaxPage      = 5 << 20
	maxTime      = 20 * time.Second
	connectIn    = 10 * time.Second
	maxHeader    = 64 << 10
	maxURL       = 2048
)

// Code says why a page was not read.
type Code string

// The codes (contract 13.21); those of package document stand beside them.
const (
	Address     Code = "ADDRESS_BLOCKED"
	Unreachable Code = "UNREACHABLE"
	Timeout     Code = "TIMEOUT"
	Redirects   Code = "TOO_MANY_REDIRECTS"
	Gone        Code = "PAGE_GONE"
	Refused     Code = "PAGE_REFUSED"
	Busy        Code = "PAGE_BUSY"
	TooLarge    Code = "TOO_LARGE"
	Unknown     Code = "UNKNOWN_FORMAT"
	Empty       Code = "EMPTY_TEXT"
	Robots      Code = "ROBOTS_DISALLOWED"
)

// Error is why a page was not read.
type Error struct {
	Code   Code
	Status int // of the answer, 0 for none
	Cause  error
}

// Error implements error. It holds no address.
func (e *Error) Error() string {
	if e.Status > 0 {
		return fmt.Sprintf("%s (%d)", e.Code, e.Status)
	}
	return string(e.Code)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Passing says whether it may be another time.
func (e *Error) Passing() bool { return e.Code == Unreachable || e.Code == Timeout || e.Code == Busy }

// Options of New.
type Options struct {
	// AllowPrivate lets pages be in the service's own network, at any port.
	AllowPrivate bool
	// Pace waits until a host may be asked again; nil: it may at once.
	Pace func(ctx context.Context, host string) error
	// Unpaced: the hosts are simulated, and nobody waits for their turns.
	Unpaced bool
	// Transport replaces the network, for tests and simulations; nil: a guarded one.
	Transport http.RoundTripper
	// Agent is how we name ourselves, and what robots.txt is asked about: its part before the
	// first slash. "": svc.
	Agent string
}

// Client fetches pages. Safe for concurrent use.
type Client struct {
	http   *http.Client
	o      Options
	robots *rules
}

// New makes a client.
func New(o Options) *Client {
	if o.Transport == nil {
		o.Transport = Guarded(o.AllowPrivate)
	}
	if o.Agent == "" {
		o.Agent = "svc/1"
	}
	return &Client{o: o, robots: &rules{}, http: &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// Paced is a client that waits with pace until a host may be asked again.
func (c *Client) Paced(pace func(ctx context.Context, host string) error) *Client {
	p := *c
	if !c.o.Unpaced {
		p.o.Pace = pace
	}
	return &p
}

// Guarded is a transport that connects to public addresses at the ports of the web alone.
func Guarded(allowPrivate bool) http.RoundTripper {
	dialer := &net.Dialer{Timeout: connectIn}
	if !allowPrivate {
		// Control sees the address itself, after names were resolved and before the first packet.
		dialer.Control = ssrf.New(ssrf.WithPorts(80, 443)).Safe
	}
	return &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: connectIn, ForceAttemptHTTP2: true, DisableCompression: true,
		MaxIdleConns: 16, MaxIdleConnsPerHost: 1, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: maxHeader,
	}
}

// Request asks for a page.
type Request struct {
	URL string
	// ETag and Modified are those of the page as it is known; "": it is not.
	ETag, Modified string
	// Robots: robots.txt has the say.
	Robots bool
}

// Fetched is a page as it came.
type Fetched struct {
	URL            string // after redirects
	ContentType    string
	ETag, Modified string
	Unchanged      bool // then there is no body
	Body           []byte
}

// Fetch gets a page. Its error is an *Error, or that of the context.
func (c *Client) Fetch(ctx context.Context, r Request) (out Fetched, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime+c.patience(), &Error{Code: Timeout})
	defer cancel()
	at, err := parse(r.URL)
	if err != nil {
		return out, err
	}
	for range MaxRedirects + 1 {
		if err := c.may(ctx, at, r.Robots); err != nil {
			return out, err
		}
		res, err := c.get(ctx, at, &r)
		if err != nil {
			return out, err
		}
		next, err := redirected(at, res)
		if err != nil {
			return out, errors.Join(err, res.Body.Close())
		}
		if next != nil {
			if err := res.Body.Close(); err != nil {
				return out, &Error{Code: Unreachable, Cause: err}
			}
			at = next
			continue
		}
		out, err = read(ctx, res)
		out.URL = at.String()
		return out, errors.Join(err, res.Body.Close())
	}
	return out, &Error{Code: Redirects}
}

// patience is the time that waiting for a turn may take beside the fetching.
func (c *Client) patience() time.Duration {
	if c.o.Pace == nil {
		return 0
	}
	return time.Minute
}

// guard refuses an address that a page names itself and that nobody is connected to. Names
// are checked when they are connected to.
func guard(ip netip.Addr) error {
	network := "tcp4"
	if ip.Is6() {
		network = "tcp6"
	}
	return ssrf.New(ssrf.WithPorts(80, 443)).Safe(network, net.JoinHostPort(ip.String(), "443"), nil)
}

// parse refuses what is no address of the web.
func parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(text) > maxURL {
		return nil, &Error{Code: Address, Cause: err}
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// may says whether a page may be asked for now: its port, robots.txt and the turn of its host.
func (c *Client) may(ctx context.Context, at *url.URL, robots bool) error {
	if p := at.Port(); p != "" && p != "80" && p != "443" && !c.o.AllowPrivate {
		return &Error{Code: Address}
	}
	if ip, err := netip.ParseAddr(at.Hostname()); err == nil && !c.o.AllowPrivate {
		if err := guard(ip); err != nil {
			return &Error{Code: Address}
		}
	}
	if robots {
		ok, err := c.allows(ctx, at)
		if err != nil {
			return err
		}
		if !ok {
			return &Error{Code: Robots}
		}
	}
	return c.wait(ctx, at)
}

func (c *Client) wait(ctx context.Context, at *url.URL) error {
	if c.o.Pace == nil {
		return nil
	}
	if err := c.o.Pace(ctx, at.Host); err != nil {
		return failed(ctx, err)
	}
	return nil
}

func (c *Client) get(ctx context.Context, at *url.URL, r *Request) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, &Error{Code: Address, Cause: err}
	}
	req.Header.Set("User-Agent", c.o.Agent)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain,application/pdf;q=0.9")
	req.Header.Set("Accept-Encoding", "gzip")
	if r.ETag != "" {
		req.Header.Set("If-None-Match", r.ETag)
	}
	if r.Modified != "" {
		req.Header.Set("If-Modified-Since", r.Modified)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, failed(ctx, err)
	}
	return res, nil
}

// failed is the error of a request without an answer.
func failed(ctx context.Context, err error) error {
	var late *Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork), errors.Is(err, ssrf.ErrProhibitedPort), errors.Is(err, ssrf.ErrInvalidHostPort):
		return &Error{Code: Address}
	case errors.As(context.Cause(ctx), &late):
		return late
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return &Error{Code: Unreachable, Cause: err}
}

// redirected is where an answer sends on to; nil: nowhere.
func redirected(at *url.URL, res *http.Response) (*url.URL, error) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	next, err := at.Parse(res.Header.Get("Location"))
	if err != nil || res.Header.Get("Location") == "" {
		return nil, &Error{Code: Unreachable, Status: res.StatusCode, Cause: err}
	}
	return parse(next.String())
}

// read takes the body of an answer.
func read(ctx context.Context, res *http.Response) (out Fetched, err error) {
	switch status := res.StatusCode; {
	case status == http.StatusNotModified:
		return Fetched{Unchanged: true, ETag: res.Header.Get("ETag"), Modified: res.Header.Get("Last-Modified")}, nil
	case status == http.StatusNotFound || status == http.StatusGone:
		return out, &Error{Code: Gone, Status: status}
	case status == http.StatusTooManyRequests || status >= 500:
		return out, &Error{Code: Busy, Status: status}
	case status != http.StatusOK:
		return out, &Error{Code: Refused, Status: status}
	}
	out = Fetched{ContentType: res.Header.Get("Content-Type"), ETag: short(res.Header.Get("ETag")), Modified: short(res.Header.Get("Last-Modified"))}
	if kind, _, err := mime.ParseMediaType(out.ContentType); out.ContentType != "" && (err != nil || !taken[kind]) {
		return out, &Error{Code: Unknown}
	}
	in, err := unpacked(res)
	if err != nil {
		return out, &Error{Code: Unreachable, Cause: err}
	}
	if out.Body, err = io.ReadAll(io.LimitReader(in, MaxPage+1)); err != nil {
		return out, failed(ctx, err)
	}
	if len(out.Body) > MaxPage {
		return out, &Error{Code: TooLarge}
	}
	return out, nil
}

// taken are the types of pages that are read.
var taken = map[string]bool{"text/html": true, "application/xhtml+xml": true, "text/plain": true, "text/markdown": true, "application/pdf": true}

func unpacked(res *http.Response) (io.Reader, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		return res.Body, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(res.Body)
	default:
		return nil, fmt.Errorf("nobody asked for the encoding %.20q", encoding)
	}
}

// short is a header that is kept: one that is too long is none.
func short(s string) string {
	if len(s) > 256 {
		return ""
	}
	return s
}
