package platform

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// OfTransport says of a request that has no answer whether it can have arrived.
func OfTransport(ctx context.Context, err error) error {
	var op *net.OpError
	var dns *net.DNSError
	var u *url.Error
	e := &Error{Fault: Uncertain, Text: "no answer"}
	switch {
	case errors.As(err, &dns):
		e.Fault, e.Text = Unsent, "the host was not found"
	case errors.As(err, &op) && op.Op == "dial":
		e.Fault, e.Text = Unsent, "no connection"
	case errors.As(err, &u) && strings.Contains(u.Err.Error(), "tls:"):
		e.Fault, e.Text = Unsent, "no secure connection"
	}
	if ctx.Err() != nil && e.Fault == Uncertain {
		e.Text = "no answer in time"
	}
	return e
}

// WaitOf is what an answer asks to wait, at most a day.
func WaitOf(h http.Header) time.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n, 86400)) * time.Second
}

const maxText = 200 // bytes of a text of a network in an error

// Cut makes a text of a network short enough for an error.
func Cut(s string) string {
	s = strings.ToValidUTF8(s, "")
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return s
}
