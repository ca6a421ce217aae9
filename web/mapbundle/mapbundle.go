// Package mapbundle serves what runs in a browser: the bundle under /v1/, the
// map's page at / and the page's own files under /app/.
//
// It promises that the bundle can be used by pages of any origin, that a new
// binary is a new page at once, and that the page can load and run nothing but
// what this server gave it, so that a name in the map data can never run as
// code. Keys, metering, CORS and OPTIONS are the gate's business (map contract 7: these paths are open).
// A method does not matter but for HEAD: like all paths
// of the map, these are read (map contract 30).
package mapbundle

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"svc/web/reply"
)

// Config is what New needs.
type Config struct {
	// Files are the built files: index.html, app/… and v1/…, each plain, or as
	// NAME.gz with or without NAME.br. Without index.html the answer to / is
	// placeholder.html. See package sdk.
	Files fs.FS
	// Licenses is added to /v1/LICENSES.txt: the licences of what the map shows
	// besides the bundle's own code (fonts, icons, styles). May be nil.
	Licenses []byte
	// PublicURL is the address under which people reach the server; "": as the
	// request says. Styles name it in their URLs, so the page must be allowed to
	// load from it.
	PublicURL string
	// Command makes the files, for the log when they are not there.
	Command string
	Log     *slog.Logger
}

// How long answers may be kept. The bundle's hour is that of map contract 7 ("public,
// max-age=3600"). The page's own files have their hash in their names.
const (
	keepHour    = "public, max-age=3600"
	keepForever = "public, max-age=31536000, immutable"
	askAlways   = "no-cache"
)

// files whose names no hash protects and no page asks for by version.
const (
	pagePath        = "index.html"
	placeholderPath = "placeholder.html"
	licensesPath    = "v1/LICENSES.txt"
)

type handler struct {
	log    *slog.Logger
	files  map[string]*reply.File // by path below the root, without a leading slash
	page   *reply.File            // nil without any
	built  bool
	policy string
}

// New makes the handler for /, /app/* and /v1/*. Files that cannot be read are
// logged and answered with 404: the API of a server is worth more than its page.
func New(c Config) http.Handler {
	h := &handler{log: c.Log, files: reply.Files(c.Files, keep, c.Log), policy: policy(c.PublicURL)}
	h.page, h.built = h.files[pagePath]
	if !h.built {
		h.page = h.files[placeholderPath]
		c.Log.Warn("the map's page and the browser bundle are not built into this binary", "build", c.Command)
	}
	if own, ok := h.files[licensesPath]; ok && len(c.Licenses) > 0 {
		h.files[licensesPath] = withLicenses(own, c.Licenses)
	}
	delete(h.files, pagePath)
	delete(h.files, placeholderPath)
	return h
}

// ServeHTTP answers the paths of this package; the router owns all others.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	bundle := strings.HasPrefix(r.URL.Path, "/v1/")
	if bundle { // pages with a cross-origin embedder policy load it too
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	if r.URL.Path == "/" {
		h.servePage(w, r)
		return
	}
	f, ok := h.files[strings.TrimPrefix(r.URL.Path, "/")]
	switch {
	case ok:
		h.send(w, r, f)
	case bundle && !h.built:
		reply.NotFound(w, "the browser bundle is not built into this server")
	case bundle:
		reply.NotFound(w, "no such file: the bundle is map.js, map.umd.js, map.css, map.d.ts, version.json and LICENSES.txt")
	default:
		reply.NotFound(w, "404 not found")
	}
}

func (h *handler) servePage(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", h.policy)
	head.Set("Referrer-Policy", "no-referrer") // a link out must not tell where on the map somebody was
	head.Set("Permissions-Policy", "geolocation=(self), camera=(), microphone=()")
	head.Set("X-Frame-Options", "DENY")
	if h.page == nil {
		reply.NotFound(w, "the map's page is not built into this server")
		return
	}
	h.send(w, r, h.page)
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, f *reply.File) {
	if err := f.Send(w, r); err != nil {
		h.log.Error("a file of the page is damaged", "path", r.URL.Path, "error", err.Error())
	}
}

// policy allows the page its own files, the tiles of this server, under its
// public address too, and the worker of the map, which the bundle carries
// inside itself and starts from a blob.
func policy(publicURL string) string {
	sources := "'self'"
	if u, err := url.Parse(publicURL); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		sources += " " + u.Scheme + "://" + u.Host
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src " + sources,
		"img-src " + sources + " data: blob:", // icons of buttons, pictures made by the map
		"worker-src blob:",
		"child-src blob:", // browsers from before worker-src
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
}
