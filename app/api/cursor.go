package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"svc/store"
)

// A cursor is cursorPrefix and, in base64url, the version of this form, a checksum of
// the list and the position, and the position in the order of the list. It holds nothing
// that whoever got the page has not seen.
const (
	cursorPrefix  = "cur_"
	cursorVersion = 1
	cursorSum     = 12 // bytes of the checksum
)

const wrongCursor = "must be the next_cursor of a page of this list with the same filters and sort; begin again without it"

// Resolve reads Cursor. It refuses one of another list, or with another filter or order,
// and one beside an offset (contract 21.2).
func (in *PageIn) Resolve(ctx huma.Context) []error {
	in.listing = listingOf(ctx)
	if in.Cursor == "" {
		return nil
	}
	refuse := func(sentence string) []error {
		return []error{&huma.ErrorDetail{Location: "query.cursor", Message: sentence}}
	}
	if in.Offset > 0 {
		return refuse("goes on from a page; send it without offset")
	}
	after, ok := in.open(in.Cursor)
	if !ok {
		return refuse(wrongCursor)
	}
	in.after = after
	return nil
}

// cursor writes a position; nil for nil.
func (in PageIn) cursor(at store.Cursor) *string {
	if at == nil {
		return nil
	}
	raw := append([]byte{cursorVersion}, in.checksum(at)...)
	out := cursorPrefix + base64.RawURLEncoding.EncodeToString(append(raw, at...))
	return &out
}

// open reads a cursor of this list.
func (in PageIn) open(cursor string) (at store.Cursor, ok bool) {
	text, ok := strings.CutPrefix(cursor, cursorPrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if !ok || err != nil || len(raw) <= 1+cursorSum || raw[0] != cursorVersion {
		return nil, false
	}
	sum, at := raw[1:1+cursorSum], store.Cursor(raw[1+cursorSum:])
	return at, bytes.Equal(sum, in.checksum(at))
}

func (in PageIn) checksum(at store.Cursor) []byte {
	sum := sha256.Sum256(append([]byte(in.listing+"\x00"), at...))
	return sum[:cursorSum]
}

// listingOf names the list that a request asks for: the operation, its path, the
// organization, and every parameter that it knows but those of the page.
func listingOf(ctx huma.Context) string {
	op, u := ctx.Operation(), ctx.URL()
	sent, _ := url.ParseQuery(u.RawQuery)
	for name := range sent {
		narrows := func(p *huma.Param) bool { return p.In == "query" && p.Name == name }
		if slices.Contains([]string{"limit", "offset", "cursor"}, name) || !slices.ContainsFunc(op.Parameters, narrows) {
			delete(sent, name)
		}
	}
	return strings.Join([]string{op.OperationID, u.Path, callOf(ctx.Context()).Org, sent.Encode()}, "\n")
}
