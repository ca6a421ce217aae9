package user

import (
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"svc/app/api"
)

// Bounds of what a person chooses. The shortest password is that of contract 47; the
// longest keeps hashing from being work that others order.
const (
	MinPassword = 10 // characters
	MaxPassword = 256
	maxEmail    = 254 // bytes, RFC 5321
	maxName     = 120 // characters
)

// CheckEmail is validation_failed on field unless email is one bare address.
func CheckEmail(field, email string) (string, error) {
	email = strings.TrimSpace(email)
	a, err := mail.ParseAddress(email)
	if err != nil || a.Address != email || len(email) > maxEmail || strings.ContainsAny(email, "\r\n\t \"") {
		return "", api.Wrong(field, "must be an e-mail address, as in olga@example.com")
	}
	return email, nil
}

// CheckPassword is validation_failed on field unless the password may be chosen.
func CheckPassword(field, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return api.Wrong(field, "must have at least %d characters", MinPassword)
	case n > MaxPassword:
		return api.Wrong(field, "must not have more than %d characters", MaxPassword)
	}
	return nil
}

// cleanName trims a name; an empty one is none.
func cleanName(name *string) (*string, error) {
	if name == nil {
		return nil, nil
	}
	s := strings.TrimSpace(*name)
	switch {
	case s == "":
		return nil, nil
	case utf8.RuneCountInString(s) > maxName:
		return nil, api.Wrong("name", "must not have more than %d characters", maxName)
	}
	return &s, nil
}

// normal makes passwords equal that keyboards compose differently.
func normal(password string) []byte { return norm.NFC.Bytes([]byte(password)) }

// Wrong codes: some are free, then each makes the next one wait, from half a minute
// to a quarter of an hour, so that a million codes cannot be tried from many
// addresses by somebody who knows the password.
const (
	freeFailures = 5
	firstWait    = 30 * time.Second
	longestWait  = 15 * time.Minute
)

// waitAfter is how long after the last of n wrong codes in a row the next one
// may be tried.
func waitAfter(n int) time.Duration {
	if n < freeFailures {
		return 0
	}
	return min(firstWait<<min(n-freeFailures, 10), longestWait)
}
