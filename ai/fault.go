package ai

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Fault is what was wrong with a call: it decides what the router does next
// (contract 12.4).
type Fault string

// The faults.
const (
	// Quota: the account at the provider has no credit or its limit is used up.
	Quota Fault = "quota"
	// RateLimited: too many requests for now.
	RateLimited Fault = "rate_limited"
	// Overloaded: the provider has too much to do.
	Overloaded Fault = "overloaded"
	// Unavailable: it cannot be reached, or failed inside.
	Unavailable Fault = "unavailable"
	// Timeout: it did not answer in time.
	Timeout Fault = "timeout"
	// BadKey: the key is not accepted.
	BadKey Fault = "bad_key"
	// Forbidden: the key may not do this.
	Forbidden Fault = "forbidden"
	// NotFound: there is no such model or address.
	NotFound Fault = "not_found"
	// TooLong: the prompt does not fit into the model's context.
	TooLong Fault = "too_long"
	// Refused: the provider or the model refuses the content.
	Refused Fault = "refused"
	// BadRequest: the provider does not take the request.
	BadRequest Fault = "bad_request"
	// BadOutput: there is no answer, it was cut off, or it does not fit the schema.
	BadOutput Fault = "bad_output"
	// Cancelled: whoever asked went away.
	Cancelled Fault = "cancelled"
)

// Faults lists them all.
func Faults() []Fault {
	return []Fault{
		Quota, RateLimited, Overloaded, Unavailable, Timeout, BadKey, Forbidden, NotFound, TooLong, Refused, BadRequest, BadOutput, Cancelled,
	}
}

// Next says whether another entry of a chain may answer what this one did not.
func (f Fault) Next() bool {
	switch f {
	case Quota, RateLimited, Overloaded, Unavailable, Timeout, BadOutput:
		return true
	}
	return false
}

// Cools says whether the fault counts towards a cool-off.
func (f Fault) Cools() bool { return f.Next() && f != BadOutput }

// sentences tell people what to do about a fault.
var sentences = map[Fault]string{
	Quota:       "The account at the provider has no credit left, or its spending limit is reached; look at its billing.",
	RateLimited: "The provider takes no more requests for now; wait, or raise the limit of the key.",
	Overloaded:  "The provider has too much to do now; try again later.",
	Unavailable: "The provider cannot be reached or failed; check the address, then its status page.",
	Timeout:     "The provider did not answer in time; try again, or allow more seconds.",
	BadKey:      "The provider does not accept the key; make a new one there and save it here.",
	Forbidden:   "The key may not do this; check its permissions and region at the provider.",
	NotFound:    "The provider has no such model, or the address is wrong.",
	TooLong:     "The text is longer than the model can read.",
	Refused:     "The provider refuses this content.",
	BadRequest:  "The provider does not take this request; check the model and the address.",
	BadOutput:   "The model gave no answer that can be used.",
	Cancelled:   "The call was cancelled.",
}

// Sentence tells people what was wrong, without anything that the provider wrote: it may
// repeat a key or a text.
func (f Fault) Sentence() string { return sentences[f] }

// Error is why a call failed. What it prints can stand in a log: it holds no address, no
// key and no text.
type Error struct {
	Fault Fault
	// Status is that of HTTP, 0 when no answer began.
	Status int
	// Code is what the provider calls it, shortened to letters, digits and _.-
	Code      string
	RequestID string
	// RetryAfter is how long the provider asks to wait; 0: it does not say.
	RetryAfter time.Duration
	// Reached: headers of an answer came.
	Reached bool
	// Format: the way in which an answer that fits the schema was asked for is not known
	// there; the next rung may be.
	Format bool
	// Usage is what was billed nevertheless.
	Usage Usage
	// Detail is ours, for what the fault alone does not say; never the provider's words.
	Detail string
	cause  error // of a context alone
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("ai: " + string(e.Fault))
	if e.Status != 0 {
		fmt.Fprintf(&b, ", status %d", e.Status)
	}
	for _, part := range [][2]string{{"code", e.Code}, {"request", e.RequestID}, {"", e.Detail}} {
		if part[1] != "" {
			b.WriteString(", " + strings.TrimSpace(part[0]+" "+part[1]))
		}
	}
	return b.String()
}

// Unwrap gives the end of the context that ended the call; nil otherwise.
func (e *Error) Unwrap() error { return e.cause }

// FaultOf is the fault of an error, "" for one that is none of ours.
func FaultOf(err error) Fault {
	var e *Error
	if errors.As(err, &e) {
		return e.Fault
	}
	return ""
}

// Interrupted makes an Error of a call that its context ended or that the network did:
// reached says whether headers had come. Nothing of the cause is kept but that of the
// context, since errors of the network hold addresses.
func Interrupted(ctx context.Context, err error, reached bool) *Error {
	e := &Error{Fault: Unavailable, Reached: reached}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		e.Fault, e.cause = Cancelled, context.Canceled
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || timedOut(err):
		e.Fault, e.cause = Timeout, context.DeadlineExceeded
	}
	return e
}

func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// maxCode bounds what is kept of a provider's code and of its request id.
const maxCode = 64

// Clean keeps of a code or an id what cannot be words of a text, nor a key: letters,
// digits and _.- up to 64 of them. One that looks like a key is dropped.
func Clean(s string) string {
	if strings.HasPrefix(s, "sk-") || strings.HasPrefix(s, "AIza") {
		return ""
	}
	out := make([]byte, 0, min(len(s), maxCode))
	for i := 0; i < len(s) && len(out) < maxCode; i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.', c == '-':
			out = append(out, c)
		default:
			return ""
		}
	}
	return string(out)
}
