package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"svc/embed"
)

// inline finds the script and style elements of the page.
var inline = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)

// pageHeaders are the tag and the policy of the page. The policy allows exactly
// the script and the style that stand in the file, by their hashes, and talking
// to this server only, so that a name in the map data can never run as code.
var pageHeaders = sync.OnceValue(func() (h struct{ etag, policy string }) {
	sources := map[string][]string{}
	for _, m := range inline.FindAllSubmatch(embed.Page, -1) {
		sum := sha256.Sum256(m[2])
		kind := string(m[1])
		sources[kind] = append(sources[kind], "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	sum := sha256.Sum256(embed.Page)
	h.etag = `"` + hex.EncodeToString(sum[:8]) + `"`
	h.policy = "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
		"; script-src " + strings.Join(sources["script"], " ") +
		"; style-src " + strings.Join(sources["style"], " ")
	return h
})

// servePage answers "/" with the map's page.
func servePage(w http.ResponseWriter, r *http.Request) {
	made := pageHeaders()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache") // a new binary is a new page: ask, and get 304
	h.Set("ETag", made.etag)
	h.Set("Content-Security-Policy", made.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(embed.Page))
}
