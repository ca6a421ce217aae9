package api

import (
	"errors"
	"maps"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// envelope is the body of every refusal (contract 46).
type envelope struct {
	Error problem `json:"error"`
}

type problem struct {
	Code    string            `json:"code" doc:"Stable; for programs."`
	Message string            `json:"message" doc:"A sentence for people."`
	Details map[string]string `json:"details,omitempty" doc:"What is wrong with each field; only with validation_failed."`
}

// Body is the envelope of e, for answers that no operation gives.
func (e *Error) Body() any {
	whole := problem{e.Code, e.Message, e.Details}
	if len(e.Extra) == 0 && len(e.Inside) == 0 {
		return envelope{whole}
	}
	var body any = whole
	if len(e.Inside) > 0 {
		inner := map[string]any{"code": e.Code, "message": e.Message}
		maps.Copy(inner, e.Inside)
		body = inner
	}
	all := map[string]any{"error": body}
	for name, value := range e.Extra {
		all[name] = value
	}
	return all
}

// sendable is an Error in the clothes that huma sends.
type sendable struct{ e *Error }

// GetStatus is the HTTP status.
func (s *sendable) GetStatus() int { return int(s.e.Kind) }

// Error is the sentence for logs.
func (s *sendable) Error() string { return s.e.Error() }

// Unwrap gives the Error.
func (s *sendable) Unwrap() error { return s.e }

// MarshalJSON writes the envelope.
func (s *sendable) MarshalJSON() ([]byte, error) { return marshal(s.e.Body()) }

// Schema describes the envelope.
func (s *sendable) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, typeOf[envelope]())
}

// Refuse answers a request with err from outside an operation: guards do.
func Refuse(ctx huma.Context, err error) {
	e := From(err)
	if e.RetryAfter > 0 {
		ctx.SetHeader("Retry-After", RetryAfter(e.RetryAfter))
	}
	ctx.SetHeader("Content-Type", jsonType)
	ctx.SetStatus(int(e.Kind))
	data, failed := marshal(e.Body())
	if failed != nil {
		panic(failed) // strings only
	}
	_, _ = ctx.BodyWriter().Write(data) // a client that left is nobody's error
}

const jsonType = "application/json; charset=utf-8"

// ErrBodyTooLarge refuses a body that is longer than its operation takes.
var ErrBodyTooLarge = ErrTooLarge.WithMessage("The body is too large.")

// fromHuma makes our refusal of one that huma found before the handler ran:
// the body cannot be read, or fields break their schema.
func fromHuma(status int, message string, errs []error) *Error {
	switch status {
	case int(Malformed):
		if !isMistyped(errs) {
			return ErrInvalidJSON
		}
		return WrongFields(details(errs)) // it is JSON, with a number that none of ours can hold
	case int(TooLarge):
		return ErrBodyTooLarge
	case int(Unsupported):
		return ErrMediaType
	case 408:
		return ErrTimeout.WithMessage("The body did not arrive in time.")
	case int(Invalid):
		if len(errs) == 0 {
			return ErrInvalid
		}
		return WrongFields(details(errs))
	}
	if status >= 500 {
		return ErrInternal.WithCause(errors.Join(append(errs, errors.New(message))...))
	}
	return (&Error{Kind: Kind(status), Code: "invalid_request"}).WithMessage("%s", message)
}

// details maps fields to what is wrong with them, the first word on each.
func details(errs []error) map[string]string {
	out := map[string]string{}
	for _, err := range errs {
		field, sentence := "body", err.Error()
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			field, sentence = fieldName(d.Location), inOurWords(d.Message)
			if name, ok := requiredField(sentence); ok {
				field, sentence = strings.TrimPrefix(field+"."+name, "body."), "is required"
			}
			if name, words, ok := mistypedField(sentence); ok {
				field, sentence = name, words
			}
		}
		if _, reported := out[field]; !reported {
			out[field] = sentence
		}
	}
	return out
}

// isMistyped says whether the body could be read but for a value.
func isMistyped(errs []error) bool {
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) && strings.HasPrefix(d.Message, mistypedPrefix) {
			return true
		}
	}
	return false
}

// requiredField is the field that huma says is missing: it names the object around
// it as the place.
func requiredField(sentence string) (name string, ok bool) {
	name, ok = strings.CutPrefix(sentence, "expected required property ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " to be present")
}

// fieldName is a place in a request as the caller wrote it: body.tags[3] is
// tags[3], query.limit is limit.
func fieldName(location string) string {
	for _, part := range []string{"body", "query", "path", "header", "form"} {
		if rest, ok := strings.CutPrefix(location, part+"."); ok {
			return rest
		}
	}
	if location == "" {
		return "body"
	}
	return location
}

// init: huma keeps the maker of its errors in a variable of its own, for the
// whole program; only this package uses huma.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return &sendable{fromHuma(status, message, errs)}
	}
}
