package field

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key is the form of an attribute's key: what stands between the braces of a
// variable, in the letters of any language.
var key = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_]+$`)

// Key makes an attribute's key of a column's name: lower case, and an underscore
// for whatever is no letter, digit or underscore. It is "" when nothing is left.
func Key(name string) string {
	s := strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if r == '_' || unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsTitle(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return '_'
	}, strings.TrimSpace(name))
	for utf8.RuneCountInString(s) > MaxAttributeKey {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	if strings.Trim(s, "_") == "" {
		return ""
	}
	return s
}

// CheckAttributes refuses attributes that are no variables: keys that cannot be
// written as one, values that are neither text, number nor truth. The map is what
// JSON gives.
func CheckAttributes(attributes map[string]any) error {
	if len(attributes) > MaxAttributes {
		return fmt.Errorf("must not be more than %d", MaxAttributes)
	}
	size := 0
	for k, v := range attributes {
		if !key.MatchString(k) || utf8.RuneCountInString(k) > MaxAttributeKey {
			return fmt.Errorf("%.80q is no key: use up to %d lower-case letters, digits and underscores", k, MaxAttributeKey)
		}
		if err := CheckAttribute(v); err != nil {
			return fmt.Errorf("%s %w", k, err)
		}
		size += len(k) + len(Text(v))
	}
	if size > MaxAttributeBytes {
		return fmt.Errorf("must not be larger than %d bytes together", MaxAttributeBytes)
	}
	return nil
}

// CheckAttribute refuses a value that no message can show.
func CheckAttribute(v any) error {
	switch v := v.(type) {
	case string:
		return CheckText(v, MaxAttribute)
	case bool:
		return nil
	case float64:
		if math.Abs(v) > maxExact {
			return errors.New("is a number of too many digits; send it as text")
		}
		return nil
	}
	return errors.New("must be a text, a number, true or false")
}

// Text is an attribute as a message shows it.
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
