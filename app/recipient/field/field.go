// Package field knows the values that a recipient may have: which ids, usernames,
// consent statuses, tags and attributes are good, how a file or a program may
// write them (contract 32), and how a person is found by the beginning of a name.
//
// It promises one rule for each value, whoever brings it, and a refusal that says
// what to write instead. It refuses to know where a value is kept.
package field

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of the values. Tags are those of contract 32.1; the others keep a record
// small enough to be read with a page of others.
const (
	MaxTags           = 50
	MaxTag            = 64 // characters
	MaxName           = 128
	MaxNote           = 1000
	MaxAttributes     = 100
	MaxAttributeKey   = 64
	MaxAttribute      = 1000
	MaxAttributeBytes = 16 << 10 // keys and texts together

	// maxExact is the highest number that every JSON reader keeps exactly.
	maxExact = 1<<53 - 1
)

// Consent is the recorded basis for contact.
type Consent string

// The statuses (contract 32).
const (
	OptedIn              Consent = "OPTED_IN"
	Authorized           Consent = "AUTHORIZED"
	ExistingRelationship Consent = "EXISTING_RELATIONSHIP"
	Unknown              Consent = "UNKNOWN"
	OptedOut             Consent = "OPTED_OUT"
)

// Consents lists the statuses in the order of contract 32.2.
func Consents() []Consent {
	return []Consent{OptedIn, Authorized, ExistingRelationship, Unknown, OptedOut}
}

// Basis says whether a basis for contact is recorded: campaigns reach the person.
func (c Consent) Basis() bool {
	return c == OptedIn || c == Authorized || c == ExistingRelationship
}

// ParseConsent reads a status in any case; spaces and hyphens may stand for
// underscores.
func ParseConsent(s string) (Consent, error) {
	c := Consent(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToUpper(strings.TrimSpace(s))))
	if !slices.Contains(Consents(), c) {
		return "", errors.New("is no consent status; use OPTED_IN, AUTHORIZED, EXISTING_RELATIONSHIP, UNKNOWN or OPTED_OUT")
	}
	return c, nil
}

// Source is where a recipient came from.
type Source string

// The sources (contract 32).
const (
	CSV    Source = "CSV"
	JSON   Source = "JSON"
	API    Source = "API"
	Manual Source = "MANUAL"
	CRM    Source = "CRM"
)

// Sources lists them.
func Sources() []Source { return []Source{CSV, JSON, API, Manual, CRM} }

var (
	scientific = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)?[eE][+-]?[0-9]+$`)
	link       = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)/|tg://resolve\?domain=)([^/?#&]+)/?(?:[?#&].*)?$`)
	languages  = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)
)

// ParseMessengerID reads a numeric user id. A spreadsheet that shows it as 1.2E+09
// has lost digits: that is refused by name.
func ParseMessengerID(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	switch {
	case err == nil:
		return int64(n), CheckMessengerID(int64(n))
	case scientific.MatchString(s):
		return 0, errors.New("is in scientific notation, so digits are lost; format the column as text or as a whole number and export again")
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("is too large for a user ID")
	}
	return 0, errors.New("must be the numeric user ID: digits only")
}

// CheckMessengerID refuses what is no user id.
func CheckMessengerID(n int64) error {
	switch {
	case n <= 0:
		return errors.New("must be a positive number")
	case n > maxExact:
		return errors.New("is too large for a user ID")
	}
	return nil
}

// ParseUsername reads a username as people write it: with a leading @ or as a link.
func ParseUsername(s string) (string, error) {
	if strings.ContainsRune(s, '/') {
		if m := link.FindStringSubmatch(s); m != nil {
			s = m[1]
		}
	}
	s = strings.TrimPrefix(s, "@")
	return s, CheckUsername(s)
}

// CheckUsername refuses what is no username.
func CheckUsername(s string) error {
	if !isUsername(s) {
		return errors.New("must have 4 to 32 letters, digits and underscores and begin with a letter")
	}
	return nil
}

func isUsername(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20 // a letter in lower case
		if !(c >= 'a' && c <= 'z' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '_')) {
			return false
		}
	}
	return len(s) >= 4 && len(s) <= 32
}

// ParseLanguage reads a language code such as uz or uz-Latn, in any case, with a
// hyphen or an underscore.
func ParseLanguage(s string) (string, error) {
	s = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "_", "-")
	if len(s) > 20 || !languages.MatchString(s) {
		return "", errors.New("must be a language code such as uz, ru or en")
	}
	return s, nil
}

// dates are the ways of writing a date or a time; without a zone it is UTC.
var dates = []string{
	time.RFC3339Nano, "2006-01-02", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -07:00", "02.01.2006", "02.01.2006 15:04", "02.01.2006 15:04:05",
}

// ParseTime reads a date or a date with a time: ISO 8601, or day.month.year with
// dots. A date with slashes is refused, because nobody knows which number is the
// month.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range dates {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1900 && t.Year() <= 9999 {
			return t.UTC().Truncate(time.Millisecond), nil
		}
	}
	return time.Time{}, errors.New("is no date; write it as 2026-03-31 or 2026-03-31T12:00:00Z")
}

// DayMonthUnclear says whether a date that ParseTime reads as day.month.year would also be
// one as month.day.year (contract 21.1).
func DayMonthUnclear(s string) bool {
	if len(s) < len("02.01.2006") || s[2] != '.' || s[5] != '.' {
		return false
	}
	return s[:2] <= "12" && s[3:5] <= "12" && s[:2] != s[3:5]
}

// CheckConsentTime refuses a time that has not come.
func CheckConsentTime(t, now time.Time) error {
	if t.After(now) {
		return errors.New("is in the future; say when the basis was recorded")
	}
	return nil
}

// CheckText refuses a text that is too long or is no text; characters counts.
func CheckText(s string, characters int) error {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return errors.New("must be text in UTF-8")
	}
	if utf8.RuneCountInString(s) > characters {
		return fmt.Errorf("must not be longer than %d characters", characters)
	}
	return nil
}

// Tags trims tags, drops empty ones and those that are there in another case, and refuses
// too many or too long ones. It answers nil when none is left.
func Tags(tags []string) (out []string, err error) {
	for _, tag := range tags {
		tag = strings.TrimSpace(tag)
		if tag == "" || HasTag(out, tag) {
			continue
		}
		if err := CheckText(tag, MaxTag); err != nil {
			return nil, fmt.Errorf("every tag %w", err)
		}
		if len(out) == MaxTags {
			return nil, fmt.Errorf("must not be more than %d tags", MaxTags)
		}
		out = append(out, tag)
	}
	return out, nil
}

// SplitTags cuts a text of tags at semicolons, and at commas too when asked.
func SplitTags(s string, commas bool) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ';' || commas && r == ',' })
}
