package api

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"svc/store"
)

// Kind is the class of an error: what a program does about it. Its number is
// the HTTP status that carries it.
type Kind int

// The kinds of error.
const (
	Malformed       Kind = 400
	Unauthenticated Kind = 401
	Forbidden       Kind = 403
	NotFound        Kind = 404
	WrongMethod     Kind = 405
	Conflict        Kind = 409
	Gone            Kind = 410
	Precondition    Kind = 412
	TooLarge        Kind = 413
	Unsupported     Kind = 415
	Range           Kind = 416
	Invalid         Kind = 422
	TooMany         Kind = 429
	Internal        Kind = 500
	BadGateway      Kind = 502
	Unavailable     Kind = 503
)

// Error is what an operation answers instead of its result: the envelope
// {"error":{"code","message","details?"}} of contract 46.
//
// Code is stable and for programs, Message a sentence for people. Details maps
// a field of the request to what is wrong with it; only validation_failed has
// them. Cause is logged with the request's id and never sent.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Details map[string]string
	// RetryAfter is sent in whole seconds, at least one, with TooMany and
	// Unavailable.
	RetryAfter time.Duration
	// Extra stands in the body next to the error, under these names: a report that
	// says more than a sentence. Nil for nearly all errors.
	Extra map[string]any
	// Inside stands in the error next to its code, under these names: a figure that a
	// program acts on. Nil for nearly all errors.
	Inside map[string]any
	Cause  error
}

// Error is the sentence, for logs and tests; the cause stays out of it.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes two errors of one code the same for errors.Is, whatever their words.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Code == e.Code
}

// WithCause is a copy of e with a cause for the log.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// WithMessage is a copy of e with another sentence.
func (e *Error) WithMessage(format string, args ...any) *Error {
	c := *e
	c.Message = fmt.Sprintf(format, args...)
	return &c
}

// WithExtra is a copy of e with something that stands next to it in the body.
func (e *Error) WithExtra(name string, value any) *Error {
	c := *e
	c.Extra = map[string]any{name: value}
	return &c
}

// WithFigure is a copy of e with something that stands within the error in the body.
func (e *Error) WithFigure(name string, value any) *Error {
	c := *e
	c.Inside = map[string]any{name: value}
	return &c
}

// After is a copy of e that tells when to come again.
func (e *Error) After(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Wrong is validation_failed for one field.
func Wrong(field, format string, args ...any) *Error {
	return WrongFields(map[string]string{field: fmt.Sprintf(format, args...)})
}

// WrongFields is validation_failed for several fields at once.
func WrongFields(details map[string]string) *Error {
	e := *ErrInvalid
	e.Details = details
	return &e
}

// AllWrong is one validation_failed of several checks, so that a person mends every field
// at once; nil when all passed. Another kind of error among them is the answer instead.
func AllWrong(checks ...error) error {
	details := map[string]string{}
	for _, err := range checks {
		if err == nil {
			continue
		}
		e := From(err)
		if e.Code != ErrInvalid.Code {
			return err
		}
		maps.Copy(details, e.Details)
	}
	if len(details) == 0 {
		return nil
	}
	return WrongFields(details)
}

// From makes an Error of any error. What the store does not find is not_found, a
// value that another record has is conflict, a place that is none in a list is
// validation_failed; anything else that is not an Error is
// internal_error, with the original as its cause.
func From(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, store.ErrNotFound):
		return ErrNotFound.WithCause(err)
	case errors.Is(err, store.ErrCursor):
		return Wrong("cursor", wrongCursor).WithCause(err)
	case store.Duplicate(err):
		return ErrConflict.WithCause(err)
	}
	return ErrInternal.WithCause(err)
}

// The errors that any operation can answer (contract 46.1 and 18).
// Those of one slice stand in its errors.go.
var (
	ErrInvalid         = &Error{Kind: Invalid, Code: "validation_failed", Message: "Some fields are not valid."}
	ErrInvalidJSON     = &Error{Kind: Malformed, Code: "invalid_json", Message: "The body is empty or not JSON."}
	ErrInvalidUpload   = &Error{Kind: Malformed, Code: "invalid_upload", Message: "The upload cannot be read; send multipart/form-data with the field file."}
	ErrUnauthenticated = &Error{Kind: Unauthenticated, Code: "unauthenticated", Message: "Sign in, or send an API key or an access token as a bearer."}
	ErrMFARequired     = &Error{Kind: Unauthenticated, Code: "mfa_required", Message: "This session waits for its two-factor code."}
	ErrForbidden       = &Error{Kind: Forbidden, Code: "forbidden", Message: "You may not do this."}
	ErrSuspended       = &Error{Kind: Forbidden, Code: "organization_suspended", Message: "The organization is suspended: it can be read, not changed, and it sends no messages."}
	ErrNoOrganization  = &Error{Kind: Forbidden, Code: "no_organization", Message: "This session has no active organization; create one or accept an invitation."}
	ErrPersonRequired  = &Error{Kind: Forbidden, Code: "person_required", Message: "This needs a signed-in person, not a key."}
	ErrNotApplicable   = &Error{Kind: Malformed, Code: "not_applicable", Message: "This is for people; an API key cannot do it."}
	ErrMFAEnrollment   = &Error{Kind: Forbidden, Code: "mfa_enrollment_required", Message: "Platform administrators need two-factor: turn it on and sign in again."}
	ErrSupportReadOnly = &Error{Kind: Forbidden, Code: "support_read_only", Message: "A support session may look and not change."}
	ErrSupportSession  = &Error{Kind: Forbidden, Code: "support_session", Message: "A support session cannot use the platform administration; end it first."}
	ErrOrigin          = &Error{Kind: Forbidden, Code: "origin_rejected", Message: "The request comes from a site that may not change anything here."}
	ErrPlanLimit       = &Error{Kind: Forbidden, Code: "plan_limit_reached", Message: "The plan's limit is reached."}
	ErrNotFound        = &Error{Kind: NotFound, Code: "not_found", Message: "There is no such thing here."}
	ErrRouteNotFound   = &Error{Kind: NotFound, Code: "route_not_found", Message: "There is no such endpoint."}
	ErrMethod          = &Error{Kind: WrongMethod, Code: "method_not_allowed", Message: "This endpoint has other methods; Allow names them."}
	ErrConflict        = &Error{Kind: Conflict, Code: "conflict", Message: "This conflicts with a record that exists."}
	ErrState           = &Error{Kind: Conflict, Code: "invalid_state", Message: "Its status does not allow this, or changed meanwhile; load it again."}
	ErrIdempotency     = &Error{Kind: Conflict, Code: "idempotency_conflict", Message: "This Idempotency-Key was used with another body."}
	ErrTooLarge        = &Error{Kind: TooLarge, Code: "file_too_large", Message: "That is too large."}
	ErrMediaType       = &Error{Kind: Unsupported, Code: "unsupported_media_type", Message: "Send application/json."}
	ErrPrecondition    = &Error{Kind: Precondition, Code: "precondition_failed", Message: "The file is not the one that If-Match or If-Unmodified-Since asks for."}
	ErrRange           = &Error{Kind: Range, Code: "range_not_satisfiable", Message: "The file has no such part; Content-Range says how long it is."}
	ErrRateLimited     = &Error{Kind: TooMany, Code: "rate_limited", Message: "Too many requests; wait as Retry-After says.", RetryAfter: time.Second}
	ErrInternal        = &Error{Kind: Internal, Code: "internal_error", Message: "Something failed on our side; reading may be tried again."}
	ErrMaintenance     = &Error{Kind: Unavailable, Code: "maintenance_mode", Message: "The service is in maintenance: reading works, changes wait.", RetryAfter: time.Minute}
	ErrTimeout         = &Error{Kind: Unavailable, Code: "timeout", Message: "The request took longer than 30 seconds.", RetryAfter: time.Second}
)

// ErrCredentials refuses a credential that is no good.
var ErrCredentials = &Error{Kind: Unauthenticated, Code: "invalid_credentials", Message: "The key, token or session is not valid, has expired or was ended; sign in again, or send another key."}

// ErrAborted ends an answer that began and cannot be finished; the server closes
// the connection without a word more.
var ErrAborted = errors.New("the answer was cut off")
