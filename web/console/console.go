// Package console serves the console: its shell at every path below /console/, and
// the files that the shell asks for.
//
// It promises that any address of the console can be opened, reloaded and sent to
// a colleague, that a new binary is a new console at once, and that the console
// can load and run nothing but what this server gave it, so that a name or a text
// that somebody typed can never run as code. It refuses to know who looks: signing
// in and permissions are the business of the operations (package apiv1).
package console

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"svc/web/reply"
)

// Root is where the console lives.
const Root = "/console/"

// files with another name than their path says.
const (
	shellPath       = "index.html"
	placeholderPath = "placeholder.html"
	assetsPrefix    = "assets/"
)

// How long answers may be kept: assets have their hash in their names.
const (
	keepForever = "public, max-age=31536000, immutable"
	askAlways   = "no-cache"
)

// Config is what New needs.
type Config struct {
	// Files are the built files: index.html and assets/…, each plain, or as NAME.gz
	// with or without NAME.br. Without index.html the shell is placeholder.html. See
	// package svc/embed/console.
	Files fs.FS
	// Dev is the address of a running Vite, which then answers instead of Files, for
	// who works on the console; "": nobody does.
	Dev string
	// Command makes the files, for the log when they are not there.
	Command string
	Log     *slog.Logger
}

type handler struct {
	log   *slog.Logger
	files map[string]*reply.File // by path below Root
	shell *reply.File            // nil without any
}

// New makes the handler of /console and everything below it.
func New(c Config) (http.Handler, error) {
	if c.Dev != "" {
		return newDev(c)
	}
	h := &handler{log: c.Log, files: reply.Files(c.Files, keep, c.Log)}
	var built bool
	if h.shell, built = h.files[shellPath]; !built {
		h.shell = h.files[placeholderPath]
		c.Log.Warn("the console is not built into this binary", "build", c.Command)
	}
	delete(h.files, shellPath)
	delete(h.files, placeholderPath)
	return h, nil
}

func keep(name string) string {
	if strings.HasPrefix(name, assetsPrefix) {
		return keepForever
	}
	return askAlways
}

// ServeHTTP answers the paths of this package; the router owns all others.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if enter(w, r) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, Root)
	if f, ok := h.files[name]; ok {
		h.send(w, r, f)
		return
	}
	if strings.HasPrefix(name, assetsPrefix) { // of another version: the shell would be no script
		reply.NotFound(w, "no such file: load the page again")
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", policy)
	head.Set("Referrer-Policy", "no-referrer") // addresses hold ids and searches for people
	head.Set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	if h.shell == nil {
		reply.NotFound(w, "the console is not built into this server")
		return
	}
	h.send(w, r, h.shell)
}

// enter leads /console to the console; the query stays.
func enter(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path+"/" != Root {
		return false
	}
	to := url.URL{Path: Root, RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
	return true
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, f *reply.File) {
	if err := f.Send(w, r); err != nil {
		h.log.ErrorContext(r.Context(), "a file of the console is damaged", "path", r.URL.Path, "error", err.Error())
	}
}

// policy is what the shell may do: run and ask for what this server gave it, no more.
//
// Styles are the one exception. Mantine writes sizes and positions as style
// attributes on elements and the values of a responsive prop as a <style>; an
// attribute cannot carry a nonce, and the shell is one file that is the same for
// everybody, so it has none to carry either. Scripts have no such exception, and
// without them a style can neither read nor send anything: images, sounds,
// fonts and requests go to this server only.
var policy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data: blob:", // icons within styles, pictures made by the map
	"media-src 'self'",           // voice and video of conversations
	"font-src 'self'",
	"connect-src 'self'",
	"manifest-src 'self'",
	"worker-src 'self' blob:", // the map starts its worker from a blob
	"child-src blob:",         // browsers from before worker-src
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
}, "; ")

// newDev hands everything to Vite, its websocket included: a reverse proxy passes
// upgrades on. There is no policy: Vite's own scripts would not survive it.
func newDev(c Config) (http.Handler, error) {
	target, err := url.Parse(c.Dev)
	if err != nil {
		return nil, err
	}
	c.Log.Warn("the console comes from a development server", "url", target.Redacted())
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			c.Log.ErrorContext(r.Context(), "the development server of the console does not answer", "error", err.Error())
			http.Error(w, "The development server of the console does not answer: run `npm run dev` in embed/console, or leave out --dev-console.", http.StatusBadGateway)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !enter(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}), nil
}
