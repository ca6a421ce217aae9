// Package automation answers comments on the photo and the page network in private: rules of an
// organization say which comments, and what is written.
//
// It promises one private reply for each comment, whatever webhooks repeat, within seven days of
// it; that the oldest rule that fits acts; that everything is asked again when a reply goes out;
// and that a person who asked to stop gets nothing (contract 16.6). A private reply opens no
// window: the seller waits until the person writes. It refuses to answer comments that the
// account wrote itself, that were edited, or that stand below live videos.
package automation

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"svc/store"
)

// Trigger says what lets a rule act.
type Trigger string

// The triggers.
const (
	Keywords Trigger = "KEYWORDS"
	Interest Trigger = "JEV_PURCHASE_INTEREST"
)

// Match says how many of the keywords must stand in a comment.
type Match string

// The matches.
const (
	MatchAny   Match = "ANY"
	MatchAll   Match = "ALL"
	MatchExact Match = "EXACT"
)

// ReplyMode says who writes.
type ReplyMode string

// The modes.
const (
	Template ReplyMode = "TEMPLATE"
	Seller   ReplyMode = "SELLER"
)

// Rule is one automation.
type Rule struct {
	ID        string    `json:"id"`
	Account   string    `json:"account"`
	Name      string    `json:"name"`
	Trigger   Trigger   `json:"trigger"`
	Words     []string  `json:"keywords,omitempty"`
	Match     Match     `json:"match"`
	Posts     []string  `json:"posts,omitempty"`
	AllPosts  bool      `json:"all_posts,omitempty"`
	Mode      ReplyMode `json:"mode"`
	Template  string    `json:"template,omitempty"`
	Public    string    `json:"public,omitempty"`
	Once      bool      `json:"once,omitempty"` // a person
	From      time.Time `json:"from,omitzero"`
	To        time.Time `json:"to,omitzero"`
	Enabled   bool      `json:"enabled,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

var (
	rules     = store.NewTable("automation", "atm", func(r *Rule) string { return r.ID })
	ofAccount = rules.Index("account", func(r *Rule) store.Key {
		return store.Tuple(store.Text(r.Account), store.Time(r.CreatedAt), store.Text(r.ID))
	})
	byAccount = rules.Facet("account", func(r *Rule) []string { return []string{r.Account} })
)

// mostRules bounds the automations of an account.
const mostRules = 100

// Tables are what a store that holds automations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{rules, replies} }

// wordsOf are the words of a text as they are compared: without case, marks of width, and with
// one apostrophe.
func wordsOf(text string) []string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case 'ʻ', 'ʼ', '`', '‘', '’', '´':
			return '\''
		}
		return r
	}, strings.ToLower(norm.NFKC.String(text)))
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
}

// has says whether words stand in others, one behind the other.
func has(in, words []string) bool {
	if len(words) == 0 {
		return false
	}
	for i := 0; i+len(words) <= len(in); i++ {
		same := true
		for k := range words {
			same = same && in[i+k] == words[k]
		}
		if same {
			return true
		}
	}
	return false
}

// fits says whether the keywords of a rule stand in a comment.
func (r *Rule) fits(text string) bool {
	in := wordsOf(text)
	all := len(r.Words) > 0
	for _, w := range r.Words {
		words := wordsOf(w)
		there := has(in, words)
		switch {
		case r.Match == MatchExact && there && len(in) == len(words), r.Match == MatchAny && there:
			return true
		}
		all = all && there
	}
	return r.Match == MatchAll && all
}

// Reasons why a rule does not act.
const (
	isOff       = "DISABLED"
	notYet      = "NOT_ACTIVE_YET"
	over        = "NOT_ACTIVE_ANY_MORE"
	otherPost   = "OTHER_POST"
	noKeyword   = "NO_KEYWORD"
	asksService = "ASKS_DECISION_SERVICE"
	anotherActs = "AN_OLDER_RULE_ACTS"
)

// objection is why a rule does not act on a comment, "" when it does. asks: only the decision
// service knows.
func (r *Rule) objection(post, text string, now time.Time) (why string, asks bool) {
	switch {
	case !r.Enabled:
		return isOff, false
	case now.Before(r.From):
		return notYet, false
	case !r.To.IsZero() && !now.Before(r.To):
		return over, false
	case !r.AllPosts && !contains(r.Posts, post):
		return otherPost, false
	case r.Trigger == Interest:
		return asksService, true
	case !r.fits(text):
		return noKeyword, false
	}
	return "", false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
