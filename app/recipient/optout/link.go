package optout

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"svc/store"
	"svc/store/recordid"
)

// A token of an opt-out link is the organization and the recipient, 16 bytes each, and
// ten bytes of a keyed hash over both. It is good for as long as the recipient exists,
// without being kept. Links of before hold the characters of the two ids and 16 bytes of
// the hash; they stay good, for they stand in messages that people have.
const (
	tokenPurpose = "opt-out link"
	idBytes      = 16
	macBytes     = 10
	idChars      = 26
	longMacBytes = 16
)

var tokenText = base64.RawURLEncoding

// Token is the token of a recipient's opt-out link.
func Token(db *store.DB, org, id string) (string, error) {
	o, ok := recordid.Bytes("org", org)
	r, known := recordid.Bytes("rcp", id)
	if !ok || !known {
		return "", ErrInvalidLink
	}
	mac, err := linkMAC(db, org, id)
	if err != nil {
		return "", err
	}
	return tokenText.EncodeToString(slices.Concat(o[:], r[:], mac[:macBytes])), nil
}

// longToken is the token as links of before have it.
func longToken(db *store.DB, org, id string) (string, error) {
	mac, err := linkMAC(db, org, id)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(org, "org_") + strings.TrimPrefix(id, "rcp_") + tokenText.EncodeToString(mac[:longMacBytes]), nil
}

func linkMAC(db *store.DB, org, id string) ([]byte, error) {
	h, err := db.Hash(tokenPurpose, org+"/"+id)
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(h)
}

// Path is where a token is shown, below the address of the API.
func Path(token string) string { return "/public/opt-out/" + token }

// ShortPath is the same page below the address of the service, as messages name it
// (contract 49).
func ShortPath(token string) string { return "/o/" + token }

// readToken finds whom a token means. Every fault is ErrInvalidLink.
func readToken(db *store.DB, token string) (org, id string, err error) {
	made := Token
	switch len(token) {
	case tokenText.EncodedLen(2*idBytes + macBytes):
		b, err := tokenText.DecodeString(token)
		if err != nil {
			return "", "", ErrInvalidLink
		}
		org, id = recordid.Of("org", [idBytes]byte(b[:idBytes])), recordid.Of("rcp", [idBytes]byte(b[idBytes:2*idBytes]))
	case 2*idChars + tokenText.EncodedLen(longMacBytes):
		org, id, made = "org_"+token[:idChars], "rcp_"+token[idChars:2*idChars], longToken
	default:
		return "", "", ErrInvalidLink
	}
	if !recordid.Valid("org", org) || !recordid.Valid("rcp", id) {
		return "", "", ErrInvalidLink
	}
	want, err := made(db, org, id)
	if err != nil {
		return "", "", err
	}
	if !hmac.Equal([]byte(want), []byte(token)) {
		return "", "", ErrInvalidLink
	}
	return org, id, nil
}
