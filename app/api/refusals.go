package api

import (
	"net/url"
	"slices"
	"strings"

	"svc/app/api/perm"
)

// Codes are the error codes of the operation's own refusals, sorted.
func (e *Endpoint) Codes() []string { return codesOf(e.errors) }

// AllCodes are the error codes that the operation can answer: its own, and the general
// ones, sorted.
func (e *Endpoint) AllCodes() []string { return codesOf(e.refusals()) }

func codesOf(errs []*Error) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// refusals are the errors that the operation can answer, its own first: who may not
// call it, what it cannot read, what any operation may run into.
func (e *Endpoint) refusals() []*Error {
	out := slices.Concat(e.errors, e.ofAnswer, e.refusedCallers(), e.refusedRequests(), []*Error{ErrRateLimited, ErrInternal})
	if !e.WorksInMaintenance() && e.Perm != perm.Administrator {
		out = append(out, ErrMaintenance)
	}
	if e.timeout > 0 || e.hasBody {
		out = append(out, ErrTimeout)
	}
	return out
}

// refusedCallers follows Authorize, and the check of the origin before it.
func (e *Endpoint) refusedCallers() (out []*Error) {
	switch {
	case e.Perm == perm.Administrator:
		out = append(out, ErrForbidden, ErrMFAEnrollment, ErrSupportSession)
	case e.Perm.InOrganization():
		out = append(out, ErrForbidden, ErrNoOrganization)
		if e.Perm.RefusedWhileSuspended() {
			out = append(out, ErrSuspended)
		}
	}
	changes := !e.Reads()
	if changes && !strings.HasPrefix(e.Path, "/public/") { // there a token vouches, no cookie
		out = append(out, ErrOrigin)
	}
	if e.Perm == perm.Public {
		return out
	}
	out = append(out, ErrUnauthenticated, ErrCredentials, ErrPlanLimit)
	if !e.beforeMFA {
		out = append(out, ErrMFARequired)
	}
	if e.personOnly != nil {
		out = append(out, e.personOnly)
	}
	if changes && !e.inSupport {
		out = append(out, ErrSupportReadOnly)
	}
	return out
}

// refusedRequests are the refusals of what the operation is told.
func (e *Endpoint) refusedRequests() (out []*Error) {
	if e.hasBody {
		out = append(out, ErrInvalidJSON, ErrTooLarge)
	}
	if e.hasBody && !e.readsItself {
		out = append(out, ErrMediaType)
	}
	if e.Keyed() {
		out = append(out, ErrIdempotency)
	}
	if e.hasInput || e.Keyed() {
		out = append(out, ErrInvalid)
	}
	named := func(err *Error) bool { return err.Kind == NotFound }
	if strings.Contains(e.Path, "{") && !slices.ContainsFunc(e.errors, named) {
		out = append(out, ErrNotFound)
	}
	return out
}

// statuses are the statuses of the refusals.
func (e *Endpoint) statuses() []int {
	var out []int
	for _, err := range e.refusals() {
		out = append(out, int(err.Kind))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// exampleOf is a refusal with that status as a client gets it. field is one of the
// request.
func (e *Endpoint) exampleOf(status int, field string) any {
	for _, err := range e.refusals() {
		if int(err.Kind) != status {
			continue
		}
		if err.Code == ErrInvalid.Code {
			err = Wrong(field, "is not valid")
		}
		return err.Body()
	}
	return nil
}

// CheckPage is validation_failed on a field unless its text, if there is one, is the address
// of a page.
func CheckPage(field string, address *string) error {
	if address == nil {
		return nil
	}
	u, err := url.Parse(*address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return Wrong(field, "must be an address such as https://example.uz")
	}
	return nil
}
