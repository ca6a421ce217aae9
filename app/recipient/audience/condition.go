package audience

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/store"
)

// Op is how a condition compares (contract 21.2, Audience).
type Op string

// The operators.
const (
	Equal    Op = "eq"
	NotEqual Op = "ne"
	Contains Op = "contains"
	Exists   Op = "exists"
	Greater  Op = "gt"
	Less     Op = "lt"
	OneOf    Op = "in"
)

// Match says how the conditions of an audience are joined.
type Match string

// The ways.
const (
	MatchAll Match = "ALL"
	MatchAny Match = "ANY"
)

// Bounds of the conditions of an audience.
const (
	MaxConditions = 20
	MaxOneOf      = 100    // values of in
	maxValue      = 200    // characters of a text
	maxWritten    = 20_000 // bytes of all conditions as JSON
)

// Condition narrows an audience by what is known of a person. Field is language,
// consent_status, or attributes.KEY. Texts are compared without regard to capitals and
// blanks around them; ne holds for people without a value too.
//
// A value that is a number compares with numbers, and with texts that read as one ("42" of
// a CSV file); gt and lt also compare dates, YYYY-MM-DD or RFC 3339, where one without a
// time is the beginning of that day in UTC. A value of another type than the person's
// holds for nothing but ne.
type Condition struct {
	_     struct{} `additionalProperties:"false"`
	Field string   `json:"field" required:"true" maxLength:"80" example:"attributes.city" doc:"language, consent_status, or attributes.KEY."`
	Op    Op       `json:"op" required:"true" enum:"eq,ne,contains,exists,gt,lt,in"`
	Value any      `json:"value,omitempty" doc:"A text, a number or a truth value; of in a list of up to 100 of them; of exists true (as when left out) or false. gt and lt take numbers and dates, contains a text."`
}

const (
	languageField  = "language"
	consentField   = "consent_status"
	attributeField = "attributes."
)

// CheckConditions refuses conditions that cannot be asked, as validation_failed below at.
func CheckConditions(at string, list []Condition) error {
	if len(list) > MaxConditions {
		return api.Wrong(at, "must not be more than %d conditions", MaxConditions)
	}
	if text, err := json.Marshal(list); err != nil || len(text) > maxWritten {
		return api.Wrong(at, "must not be longer than %d bytes together; use a tag or a list for so many values", maxWritten)
	}
	for i, c := range list {
		if _, err := c.prepare(); err != nil {
			return api.Wrong(fmt.Sprintf("%s[%d].%s", at, i, err.of), "%s", err.says)
		}
	}
	return nil
}

// wrongCondition says which part of a condition is wrong, and why.
type wrongCondition struct{ of, says string }

// asked is a condition that was read.
type asked struct {
	holds func(*recipient.Recipient) bool
	// within are people among whom are all of whom it holds; nil: anybody. exact says that
	// it holds for all of them.
	within *recipient.Cond
	exact  bool
	// turned says that within is a Not, which no choice of conditions takes (store.Or).
	turned bool
}

func (c *Condition) prepare() (a asked, wrong *wrongCondition) {
	key, isAttribute := strings.CutPrefix(c.Field, attributeField)
	var get func(*recipient.Recipient) any
	switch {
	case c.Field == languageField:
		get = func(r *recipient.Recipient) any { return r.Language }
	case c.ofConsent():
		get = func(r *recipient.Recipient) any { return string(r.Consent) }
	case isAttribute && key != "":
		get = func(r *recipient.Recipient) any { return r.Attributes[key] }
	default:
		return a, &wrongCondition{"field", "must be language, consent_status, or attributes. and the key of an attribute"}
	}
	test, wrong := c.test(isAttribute)
	if wrong != nil {
		return a, wrong
	}
	a.holds = func(r *recipient.Recipient) bool { return test(get(r)) }
	if !isAttribute {
		return c.kept(a)
	}
	if c.Op != NotEqual && !(c.Op == Exists && c.Value == false) {
		has := recipient.WithAttribute(key)
		a.within = &has
	}
	return a, nil
}

func (c *Condition) ofConsent() bool { return c.Field == consentField || c.Field == "consent" }

// kept answers a condition on a field of which the store keeps who has which value:
// language, consent_status.
func (c *Condition) kept(a asked) (asked, *wrongCondition) {
	var languages []string
	var consents []field.Consent
	list, many := c.Value.([]any)
	if !many {
		list = []any{c.Value}
	}
	for _, v := range list {
		text, ok := v.(string)
		if !ok && c.Op != Exists {
			return a, &wrongCondition{"value", "must be a text"}
		}
		if c.ofConsent() && c.Op != Exists {
			consent, err := field.ParseConsent(text)
			if err != nil {
				return a, &wrongCondition{"value", err.Error()}
			}
			consents = append(consents, consent)
		} else {
			languages = append(languages, strings.ToLower(strings.TrimSpace(text)))
		}
	}
	cond := recipient.WithLanguage(languages...)
	if c.ofConsent() {
		cond = recipient.WithConsent(consents...)
	}
	switch {
	case c.Op == NotEqual:
		cond, a.turned = cond.Not(), true
	case c.Op == Exists && c.ofConsent():
		return a, &wrongCondition{"op", "cannot be exists: everybody has a consent_status, of which UNKNOWN is one"}
	case c.Op == Exists:
		return a, nil // languages are many: each person is asked
	}
	a.within, a.exact = &cond, true
	return a, nil
}

// test reads the operator and the value.
func (c *Condition) test(isAttribute bool) (func(any) bool, *wrongCondition) {
	if !isAttribute && (c.Op == Contains || c.Op == Greater || c.Op == Less) {
		return nil, &wrongCondition{"op", "must be eq, ne, in or exists for this field"}
	}
	switch c.Op {
	case Equal, NotEqual:
		same, wrong := sameAs(c.Value)
		if wrong != nil {
			return nil, wrong
		}
		return func(v any) bool { return same(v) == (c.Op == Equal) }, nil
	case Contains:
		text, ok := c.Value.(string)
		if part := store.Fold(strings.TrimSpace(text)); ok && part != "" && len([]rune(text)) <= maxValue {
			return func(v any) bool { return strings.Contains(store.Fold(field.Text(v)), part) }, nil
		}
		return nil, &wrongCondition{"value", fmt.Sprintf("must be a text of 1 to %d characters", maxValue)}
	case Exists:
		want, ok := c.Value.(bool)
		if !ok && c.Value != nil {
			return nil, &wrongCondition{"value", "must be true or false"}
		}
		want = want || c.Value == nil
		return func(v any) bool { return (v != nil && strings.TrimSpace(field.Text(v)) != "") == want }, nil
	case Greater, Less:
		return c.order()
	case OneOf:
		return c.oneOf()
	}
	return nil, &wrongCondition{"op", "must be one of eq, ne, contains, exists, gt, lt, in"}
}

func (c *Condition) oneOf() (func(any) bool, *wrongCondition) {
	list, ok := c.Value.([]any)
	if !ok || len(list) == 0 || len(list) > MaxOneOf {
		return nil, &wrongCondition{"value", fmt.Sprintf("must be a list of 1 to %d values", MaxOneOf)}
	}
	tests := make([]func(any) bool, len(list))
	for i, v := range list {
		var wrong *wrongCondition
		if tests[i], wrong = sameAs(v); wrong != nil {
			return nil, wrong
		}
	}
	return func(v any) bool { return slices.ContainsFunc(tests, func(same func(any) bool) bool { return same(v) }) }, nil
}

// sameAs compares with one value.
func sameAs(value any) (func(any) bool, *wrongCondition) {
	switch want := value.(type) {
	case string:
		if text := store.Fold(strings.TrimSpace(want)); text != "" && len([]rune(want)) <= maxValue {
			return func(v any) bool { return v != nil && store.Fold(strings.TrimSpace(field.Text(v))) == text }, nil
		}
		return nil, &wrongCondition{"value", fmt.Sprintf("must be a text of 1 to %d characters; ask for exists to find people without a value", maxValue)}
	case float64:
		return func(v any) bool {
			n, ok := asNumber(v)
			return ok && n == want
		}, nil
	case bool:
		text := strconv.FormatBool(want)
		return func(v any) bool { return v != nil && strings.EqualFold(strings.TrimSpace(field.Text(v)), text) }, nil
	}
	return nil, &wrongCondition{"value", "must be a text, a number, true or false"}
}

// order compares by size: numbers with numbers, dates with dates.
func (c *Condition) order() (func(any) bool, *wrongCondition) {
	sign := 1
	if c.Op == Less {
		sign = -1
	}
	if want, ok := asNumber(c.Value); ok {
		return func(v any) bool {
			n, ok := asNumber(v)
			return ok && (n-want)*float64(sign) > 0
		}, nil
	}
	if want, ok := asDate(c.Value); ok {
		return func(v any) bool {
			at, ok := asDate(v)
			return ok && at.Compare(want) == sign
		}, nil
	}
	return nil, &wrongCondition{"value", "must be a number, or a date such as 2026-05-01"}
}

// asNumber reads a number, or a text that is one.
func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && !strings.ContainsAny(v, "xXpP_")
	}
	return 0, false
}

// asDate reads a date, or a time.
func asDate(v any) (time.Time, bool) {
	text, _ := v.(string)
	text = strings.TrimSpace(text)
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at, true
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}
