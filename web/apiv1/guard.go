package apiv1

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/web/reply"
)

// guard makes the call of a request and asks everything that stands before an
// operation, in the order of contract 44.
func (a *API) guard(e *api.Endpoint) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		c := api.NewCall(r.Context(), &response{w: w, r: r, limit: e.TimeLimit(), stopping: a.stopping})
		c.Endpoint, c.Now = e, a.c.Clock().UTC().Truncate(time.Millisecond) // as the API shows times
		c.Report = func(failure *api.Error) { a.report(c, failure) }
		c.RequestID, c.Base = w.Header().Get("X-Request-Id"), reply.Base(r, a.c.PublicURL)
		c.IP, c.UserAgent = a.client(r), printable(r.UserAgent(), maxUserAgent)
		whole := c.Context
		entering, entered := bounded(whole, e) // who limits calls and knows callers waits for the store too
		defer entered()
		c.Context = entering
		if err := a.enter(c, r, e); err != nil {
			a.refuse(c, ctx, err)
			return
		}
		c.Context = whole // the body and the operation have times of their own
		body, release, err := a.body(w, r, e)
		if err != nil {
			a.refuse(c, ctx, err)
			return
		}
		defer release()
		var cancel context.CancelFunc
		c.Context, cancel = bounded(c.Context, e)
		defer cancel()
		if err := begin(w, e.TimeLimit()); err != nil {
			a.refuse(c, ctx, err)
			return
		}
		a.replay(c, huma.WithContext(&plain{ctx, body}, c.Context), body, next)
	}
}

// refuse answers a request whose operation does not run.
func (a *API) refuse(c *api.Call, ctx huma.Context, err error) {
	failure := c.Failed(err)
	if failure.Kind >= api.Internal && !errors.Is(failure, api.ErrTimeout) {
		a.report(c, failure)
	}
	api.Refuse(ctx, failure)
}

// enter admits a request, and notes what support looks at: what cannot be noted does not
// happen.
func (a *API) enter(c *api.Call, r *http.Request, e *api.Endpoint) error {
	err := a.admit(c, r, e)
	if err == nil && c.Caller.Support != "" && a.c.Accessed != nil {
		err = a.c.Accessed(c, r.Method, r.URL.Path)
	}
	return err
}

// maxUserAgent bounds what a client says it is.
const maxUserAgent = 256

func bounded(ctx context.Context, e *api.Endpoint) (context.Context, context.CancelFunc) {
	if e.TimeLimit() == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, e.TimeLimit(), e.Late())
}

// admit says whether the operation may run.
func (a *API) admit(c *api.Call, r *http.Request, e *api.Endpoint) error {
	cred, err := credential(r)
	if err != nil && !open(e, err) {
		return err
	}
	if err := a.limits.before(c, e, r.URL.Path); err != nil {
		return err
	}
	if err := a.c.Identify(c, cred); err != nil && !open(e, err) {
		return err
	}
	if err := a.limits.after(c, e); err != nil {
		return err
	}
	if cred.Bearer == "" && !e.Reads() && !byLink(e) && !a.isTrustedOrigin(r, cred.Cookie != "") {
		return api.ErrOrigin
	}
	if err := c.Authorize(e); err != nil {
		return err
	}
	if err := a.maintained(c, e); err != nil {
		return err
	}
	return e.Fits(r.ContentLength, r.Header.Get("Content-Type"))
}

// byLink says whether a token in the path vouches for a change, as that of an opt-out
// does: the cookie that a browser sends along has no part in it.
func byLink(e *api.Endpoint) bool { return strings.HasPrefix(e.Path, "/public/") }

// open says whether an operation goes on although the credential is no good: what
// anybody may do does not fail for a cookie of yesterday.
func open(e *api.Endpoint, err error) bool {
	return e.Perm == perm.Public && api.From(err).Kind == api.Unauthenticated
}

func (a *API) maintained(c *api.Call, e *api.Endpoint) error {
	if e.WorksInMaintenance() || e.Perm == perm.Administrator || a.c.Maintenance == nil {
		return nil
	}
	if e.AsksMaintenance() {
		c.Maintained = func() error { return a.maintenance(c) }
		return nil
	}
	return a.maintenance(c)
}

func (a *API) maintenance(c *api.Call) error {
	on, message, err := a.c.Maintenance(c)
	switch {
	case err != nil:
		return err
	case on && message != "":
		return api.ErrMaintenance.WithMessage("%s", message)
	case on:
		return api.ErrMaintenance
	}
	return nil
}

// credential reads who the request says it comes from. A header that is there and
// is no bearer is refused: its sender believes to be somebody.
func credential(r *http.Request) (cred session.Credential, err error) {
	for _, name := range []string{session.HostCookie, session.Cookie} {
		if cookie, err := r.Cookie(name); err == nil && len(cookie.Value) <= maxCredential {
			cred.Cookie, cred.PlainName = cookie.Value, name == session.Cookie
			break
		}
	}
	token, ok := session.ParseBearer(r.Header.Get("Authorization"))
	if !ok || len(token) > maxCredential {
		return cred, api.ErrUnauthenticated.WithMessage("The Authorization header must be: Bearer, a space, and an API key or an access token.")
	}
	cred.Bearer = token
	return cred, nil
}

// maxCredential bounds what a request shows; real ones are under 100 bytes.
const maxCredential = 512

// isTrustedOrigin says whether a change comes from a page of ours (contract 44.3),
// or from no page at all: a program says nothing of where it is. A browser names the
// Origin of each change, or says in Sec-Fetch-Site where it comes from; that is asked of
// requests without a cookie too, or a foreign page could sign people in as somebody else
// (contract 21.3, Elevation). With a cookie, and without either, the Referer
// decides.
func (a *API) isTrustedOrigin(r *http.Request, cookie bool) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
			return site == "same-origin" || site == "none"
		}
		if !cookie {
			return true
		}
		origin = originOf(r.Header.Get("Referer"))
	}
	if origin == "" {
		return false
	}
	if a.origins[strings.ToLower(origin)] {
		return true
	}
	return a.c.PublicURL == "" && strings.EqualFold(origin, originOf(reply.Base(r, "")))
}

// originOf is the origin of an address, "" when it has none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// originsOf is the set of the origins of some addresses.
func originsOf(addresses ...string) map[string]bool {
	out := map[string]bool{}
	for _, address := range addresses {
		if origin := originOf(address); origin != "" {
			out[origin] = true
		}
	}
	return out
}

// report logs the cause of a failure; the caller gets the sentence only.
func (a *API) report(c *api.Call, failure *api.Error) {
	left := errors.Is(failure.Cause, context.Canceled) && c.Err() != nil // the client did
	if failure.Cause != nil && !left {
		a.c.Log.ErrorContext(c, "an operation failed", "operation", c.Endpoint.ID, "error", failure.Cause.Error())
	}
}

// printable keeps what can stand in a log and a table.
func printable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
