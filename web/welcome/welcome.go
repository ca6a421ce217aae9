// Package welcome serves the two pages that one-time links lead to: where the first
// person signs up, and where somebody accepts an invitation.
//
// It promises that whoever got a link needs nothing but a browser, in Uzbek,
// Russian or English, and that nothing is loaded from anywhere else. The pages only
// ask: what happens is the operations' business (package apiv1). It refuses tokens
// in its log, and to be framed.
package welcome

import (
	"bytes"
	"embed"
	"html/template"
	"log/slog"
	"net/http"

	"golang.org/x/text/language"

	"svc/web/reply"
)

//go:embed page.html welcome.css welcome.js
var files embed.FS

// Paths of the pages.
const (
	SignUpPath     = "/console/signup"
	InvitationPath = "/public/invitation"
	assetsPath     = "/public/welcome/"
)

// Handler answers for the pages and their two files.
type Handler struct {
	page  *template.Template
	files map[string]reply.Blob
	log   *slog.Logger
}

// New makes the handler.
func New(log *slog.Logger) (*Handler, error) {
	page, err := template.ParseFS(files, "page.html")
	if err != nil {
		return nil, err
	}
	h := &Handler{page: page, files: map[string]reply.Blob{}, log: log}
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
	return file || path == SignUpPath || path == InvitationPath
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
	lang := languageOf(r)
	var out bytes.Buffer
	err := h.page.Execute(&out, map[string]any{
		"Lang": lang, "Languages": languages, "Words": words[lang], "Invitation": r.URL.Path == InvitationPath,
	})
	if err != nil {
		panic(err) // of our own words
	}
	_, _ = w.Write(out.Bytes()) // a client that left is nobody's error
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
