// Package welcome serves the pages that one-time links lead to, and sign-up: where the
// first person and, while it is open, everybody signs up, where somebody accepts an
// invitation, chooses a new password or confirms a new address.
//
// It promises that whoever got a link needs nothing but a browser, in Uzbek,
// Russian or English, and that nothing is loaded from anywhere else. The pages only
// ask: what happens is the operations' business (package apiv1). It refuses tokens
// in its log, and to be framed.
package welcome

import (
	"bytes"
	"context"
	"embed"
	"log/slog"
	"net/http"

	"golang.org/x/text/language"

	"svc/web/reply"
)

//go:embed welcome.css welcome.js
var files embed.FS

// Paths of the pages.
const (
	SignUpPath     = "/console/signup"
	InvitationPath = "/public/invitation"
	ResetPath      = "/public/password-reset"
	EmailPath      = "/public/email"
	assetsPath     = "/public/welcome/"
)

// Options of New.
type Options struct {
	// Signup says who may sign up now: the signup of GET /public/config (package
	// setting).
	Signup func(context.Context) (string, error)
	Log    *slog.Logger
}

// Handler answers for the pages and their two files.
type Handler struct {
	files  map[string]reply.Blob
	signup func(context.Context) (string, error)
	log    *slog.Logger
}

// New makes the handler.
func New(o Options) (*Handler, error) {
	h := &Handler{files: map[string]reply.Blob{}, signup: o.Signup, log: o.Log}
	for name, kind := range map[string]string{"welcome.css": "text/css; charset=utf-8", "welcome.js": "text/javascript; charset=utf-8"} {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		h.files[assetsPath+name] = reply.Blob{Type: kind, CacheControl: "no-cache", Tag: reply.Tag(data), Identity: data}
	}
	return h, nil
}

// Owns says whether a path is one of the handler's.
func (h *Handler) Owns(path string) bool {
	_, file := h.files[path]
	_, link := links[path]
	return file || link || path == SignUpPath
}

// policy lets the pages run their own script and ask their own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP answers a request for a path that it owns.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if blob, ok := h.files[r.URL.Path]; ok {
		if err := reply.Send(w, r, blob); err != nil {
			h.log.ErrorContext(r.Context(), "a file of the welcome pages was not sent", "error", err.Error())
		}
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer") // the address holds the token
	of, err := h.pageOf(r)
	if err != nil {
		h.log.ErrorContext(r.Context(), "who may sign up cannot be read", "error", err.Error())
		http.Error(w, "The page cannot be shown now; try again.", http.StatusServiceUnavailable)
		return
	}
	var out bytes.Buffer
	if err := of.write(&out, languageOf(r)); err != nil {
		panic(err) // a buffer takes everything
	}
	_, _ = w.Write(out.Bytes()) // a client that left is nobody's error
}

// links are the pages of one-time links. That of a new address has a key to press and
// nothing to type.
var links = map[string]page{
	InvitationPath: {kind: "invitation", title: "invitation", text: "invitationText", fields: map[string]bool{"name": true, "email": true, "password": true}},
	ResetPath:      {kind: "password-reset", title: "reset", text: "resetText", done: "resetDone", fields: map[string]bool{"email": true, "password": true}},
	EmailPath:      {kind: "email", title: "confirmEmail", text: "confirmEmailText", done: "confirmEmailDone", fields: map[string]bool{"none": true}},
}

var signupFields = map[string]bool{"name": true, "email": true, "password": true, "organization": true}

// pageOf is the page of a request. What the page of sign-up says follows who may sign
// up (contract 21.1).
func (h *Handler) pageOf(r *http.Request) (page, error) {
	if of, ok := links[r.URL.Path]; ok {
		return of, nil
	}
	state, err := h.signup(r.Context())
	of := page{kind: "signup", title: "signup"}
	switch {
	case err != nil:
		return of, err
	case state == "first_person" && r.URL.Query().Get("setup_token") != "":
		of.kind, of.text, of.fields = "first-person", "firstText", signupFields
	case state == "first_person":
		of.text = "firstLinkText"
	case state == "open":
		of.text, of.fields = "openText", signupFields
	default:
		of.text = "closedText"
	}
	return of, nil
}

var matcher = language.NewMatcher([]language.Tag{language.Uzbek, language.Russian, language.English})

// languageOf is the language that a person asked for, else that of the browser.
func languageOf(r *http.Request) string {
	if lang := r.URL.Query().Get("lang"); words[lang] != nil {
		return lang
	}
	accepted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(accepted) == 0 {
		return "uz"
	}
	_, i, _ := matcher.Match(accepted...)
	return languages[i]
}
