// Package apiv1 serves the operations of the messaging service below /api/v1: it
// turns requests into calls, and answers into bytes.
//
// It promises that every operation is reached through one door: a request has a
// caller, an origin that may change things, room in its rate, a bound in time and
// size, and the permission, before a handler sees it; that a repeated
// Idempotency-Key repeats the answer and not the change; and that a refusal has
// the envelope of contract 46 whatever refused. It refuses to know what any
// operation means.
package apiv1

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"path"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/session"
	"svc/store"
)

// Prefix is where the operations are.
const Prefix = "/api/v1"

// Identify fills the caller, the organization and what else the credential says
// into a call. Without a credential the caller stays Nobody. The error refuses the
// request.
type Identify func(c *api.Call, cred session.Credential) error

// Maintenance says whether the platform is in maintenance, and what people are
// told then ("" for the usual words).
type Maintenance func(ctx context.Context) (on bool, message string, err error)

// Config is what the door is made of.
type Config struct {
	DB          *store.DB
	Endpoints   []api.Endpoint
	Identify    Identify
	Maintenance Maintenance
	// Accessed notes what a support session looks at; nil: nobody does.
	Accessed func(c *api.Call, method, path string) error
	// Origins are sites beside the public address, as in https://example.uz, whose
	// pages may change things with a cookie and read the answers (CORS).
	Origins []string
	// PublicURL is the address of the service, "" when requests tell it.
	PublicURL string
	// TrustedProxies may name the client in X-Forwarded-For.
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
}

// API is the mounted service.
type API struct {
	c       Config
	mux     *http.ServeMux
	doc     huma.API
	limits  *limits
	uploads *uploads
	origins map[string]bool // whose pages may change things with a session
	foreign map[string]bool // those of Config.Origins, which may read answers too

	stopping chan struct{} // closed by EndStreams
	endOnce  sync.Once
}

// New mounts the operations.
func New(c Config) *API {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	a := &API{
		c: c, mux: http.NewServeMux(), limits: newLimits(c.DB, c.Clock), uploads: newUploads(), origins: originsOf(c.PublicURL), foreign: originsOf(c.Origins...),
		stopping: make(chan struct{}),
	}
	maps.Copy(a.origins, a.foreign)
	config := api.Config()
	config.Servers = []*huma.Server{{URL: Prefix}}
	a.doc = humago.NewWithPrefix(a.mux, Prefix, config)
	api.Mount(a.doc, a.guard, c.Endpoints)
	a.mountDocument()
	a.mux.HandleFunc(everythingElse, a.noOperation)
	return a
}

// EndStreams ends the streams that are open and those that open later: the server stops.
func (a *API) EndStreams() { a.endOnce.Do(func() { close(a.stopping) }) }

// Document is the OpenAPI description of what is mounted.
func (a *API) Document() *huma.OpenAPI { return a.doc.OpenAPI() }

// ServeHTTP answers a request below Prefix.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	a.allowOrigin(w, r)
	if path.Clean(r.URL.Path) != r.URL.Path { // the mux would redirect to the clean one
		refuse(w, api.ErrRouteNotFound)
		return
	}
	if r.Method == http.MethodOptions {
		a.options(w, r)
		return
	}
	defer a.recover(w, r)
	a.mux.ServeHTTP(w, r)
}
