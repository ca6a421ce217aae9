// Package reply writes the answers that tiles, fonts, sprites, styles and the
// browser bundle have in common: bytes that exist already, in one or more
// encodings, with an entity tag.
//
// It promises one reading of Accept-Encoding and If-None-Match (RFC 9110), 304
// and HEAD without a body, and that no header of a request is repeated into an
// answer unchecked. It refuses range requests: everything here is small, so
// they are answered whole.
package reply

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"syscall"

	"github.com/cespare/xxhash/v2"
	kgzip "github.com/klauspost/compress/gzip"

	"svc/web/gate"
)

// Blob is one answer in the encodings that exist of it. Identity or Gzip must be
// there; a client that accepts no gzip gets it inflated on the way out, which is
// never held whole.
type Blob struct {
	Type         string // Content-Type
	CacheControl string // "" sends none
	// Tag names these bytes and changes with them: letters, digits, '-' and '.'
	// (see Tag, the function). It becomes a strong ETag, another for each
	// encoding because each is other bytes. "" sends none.
	Tag string

	Identity, Gzip, Brotli []byte
}

// Tag is the Blob.Tag of some content: a hash of 64 bits, which tells versions of
// one thing apart and is no proof against forgery.
func Tag(content ...[]byte) string {
	var d xxhash.Digest
	d.Reset()
	for _, c := range content {
		_, _ = d.Write(c) // never fails
	}
	return hex.EncodeToString(d.Sum(nil))
}

// Base is the address under which clients reach the server, without a trailing
// slash (map contract 2): public when it is set, else what a proxy says, else
// the request's own. It is safe inside a URL whatever the headers held.
func Base(r *http.Request, public string) string { return gate.BaseURL(r, public) }

// KeyQuery is "?key=" and the key of the request's query, escaped, for URLs that
// a browser will follow: it cannot add a header to them. It is "" without one; a
// key that came in a header is not repeated (map contract 2 and 5).
func KeyQuery(r *http.Request) string {
	if key := r.URL.Query().Get("key"); key != "" {
		return "?key=" + url.QueryEscape(key)
	}
	return ""
}

// NotFound answers 404 with a sentence as plain text.
func NotFound(w http.ResponseWriter, sentence string) { plain(w, http.StatusNotFound, sentence) }

// Failed answers 500 with a sentence as plain text, which nobody may store.
func Failed(w http.ResponseWriter, sentence string) {
	w.Header()["Cache-Control"] = noStore
	plain(w, http.StatusInternalServerError, sentence)
}

func plain(w http.ResponseWriter, status int, sentence string) {
	h := w.Header()
	h["Content-Type"] = plainText
	h["X-Content-Type-Options"] = noSniff
	h["Content-Length"] = []string{strconv.Itoa(len(sentence) + 1)}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, sentence+"\n") // a client that left is nobody's error
}

// Values shared by all answers: nobody writes into them, since http.Header
// replaces slices or appends to them, and these have no room.
var (
	plainText     = []string{"text/plain; charset=utf-8"}
	noStore       = []string{"no-store"}
	noSniff       = []string{"nosniff"}
	varyEncoding  = []string{"Accept-Encoding"}
	contentCoding = [...][]string{gzip: {"gzip"}, brotli: {"br"}}
)

// tagSuffix keeps the strong tags of the encodings apart.
var tagSuffix = [...]string{identity: `"`, gzip: `-gzip"`, brotli: `-br"`}

// Send answers with b in the encoding that the client prefers, or with 304 when it
// has it already. It has answered in every case; the error is for the log: the
// stored gzip cannot be inflated, and the answer was 500; or what was sent changed
// meanwhile, and the answer broke off.
func Send(w http.ResponseWriter, r *http.Request, b Blob) error {
	coding := b.choose(r.Header["Accept-Encoding"])
	h := w.Header()
	h["Vary"] = varyEncoding
	if b.CacheControl != "" {
		h["Cache-Control"] = []string{b.CacheControl}
	}
	if b.Tag != "" {
		tag := `"` + b.Tag + tagSuffix[coding]
		h["Etag"] = []string{tag}
		if matches(r.Header["If-None-Match"], tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	body := b.bytes(coding)
	packed, size := coding == identity && body == nil, int64(len(body))
	if packed {
		var err error
		if size, err = inflated(b.Gzip); err != nil {
			h.Del("Etag")
			Failed(w, "the stored answer is damaged")
			return err
		}
	}
	if coding != identity {
		h["Content-Encoding"] = contentCoding[coding]
	}
	h["Content-Type"] = []string{b.Type}
	h["X-Content-Type-Options"] = noSniff
	h["Content-Length"] = []string{strconv.FormatInt(size, 10)}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	var err error
	if packed {
		_, err = inflate(b.Gzip, func(z io.WriterTo) (int64, error) { return z.WriteTo(w) })
	} else {
		_, err = w.Write(body)
	}
	return serverFault(err)
}

// serverFault is err when the answer broke off because of what was to be sent: a mapped
// file that shrank under the system's hands (EFAULT), or bytes that are no longer
// what they were. A client that left is nobody's error.
func serverFault(err error) error {
	if errors.Is(err, syscall.EFAULT) || errors.Is(err, http.ErrContentLength) || errors.Is(err, kgzip.ErrChecksum) || errors.Is(err, kgzip.ErrHeader) {
		return fmt.Errorf("an answer broke off: %w", err)
	}
	return nil
}

// bytes is what exists of b in a coding.
func (b *Blob) bytes(c coding) []byte {
	switch c {
	case gzip:
		return b.Gzip
	case brotli:
		return b.Brotli
	}
	return b.Identity
}
