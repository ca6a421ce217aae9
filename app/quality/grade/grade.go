// Package grade says whether an answer of the seller is what an item of a dataset expects.
//
// It promises that the same answer gets the same grade, and that a grader which an item gives
// nothing to look at does not count. It refuses to ask models: package judge does.
package grade

import (
	"slices"
	"strings"

	"svc/ai/lang"
	"svc/geo/text/script"
)

// Grader looks at one side of an answer (contract 13.32).
type Grader string

// The graders.
const (
	Exact      Grader = "EXACT"
	Contains   Grader = "CONTAINS"
	Language   Grader = "LANGUAGE"
	Validators Grader = "VALIDATORS"
	Action     Grader = "ACTION"
	Judge      Grader = "JUDGE"
)

// All lists them in the order in which they are shown.
var All = []Grader{Exact, Contains, Language, Validators, Action, Judge}

// Expected is what an item wants of an answer. Empty fields want nothing.
type Expected struct {
	ReplyContains []string `json:"reply_contains,omitempty" maxItems:"10" doc:"EXACT: the whole reply is one of them. CONTAINS: the reply has every one." example:"1400000"`
	ReplyAvoids   []string `json:"reply_avoids,omitempty" maxItems:"10" doc:"CONTAINS: the reply has none of them."`
	FinalAction   string   `json:"final_action,omitempty" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP" doc:"ACTION. SEND, DRAFT and RECOMMEND are one here: which of them it is, the autonomy level says and not the prompt."`
	Intent        string   `json:"intent,omitempty" maxLength:"40" doc:"ACTION: what the decision says."`
	Language      string   `json:"language,omitempty" enum:"uz,uz-Latn,uz-Cyrl,ru,en" doc:"LANGUAGE; uz in either script; that of the customer when left out."`
	Sources       []string `json:"knowledge_source_ids,omitempty" maxItems:"10" doc:"CONTAINS: every one was found for the answer."`
}

// Given is an answer.
type Given struct {
	Reply  string // "": nothing was written
	Action string
	Intent string
	// Tongue is the language in which the customer is to be answered.
	Tongue  string
	Sources []string // whose parts the answer was made with
	// Names are those that a reply may say in any language: of the business and of what it sells.
	Names []string
	// Refused: a validator let no reply pass.
	Refused bool
}

// written are the final actions with a reply.
var written = []string{"SEND", "DRAFT", "RECOMMEND"}

// Of is the share, 0 to 1, of what a grader looks at that is as expected; applies is false
// where it has nothing to look at. It does not know Judge.
func Of(g Grader, want *Expected, got *Given) (score float64, applies bool) {
	var checks []bool
	switch g {
	case Exact:
		if len(want.ReplyContains) > 0 {
			checks = append(checks, slices.ContainsFunc(want.ReplyContains, func(s string) bool { return slices.Equal(tokens(s), tokens(got.Reply)) }))
		}
	case Contains:
		reply := tokens(got.Reply)
		for _, s := range want.ReplyContains {
			checks = append(checks, has(reply, tokens(s)))
		}
		for _, s := range want.ReplyAvoids {
			checks = append(checks, !has(reply, tokens(s)))
		}
		for _, s := range want.Sources {
			checks = append(checks, slices.Contains(got.Sources, s))
		}
	case Language:
		checks = language(want, got)
	case Validators:
		checks = append(checks, !got.Refused)
	case Action:
		if want.FinalAction != "" {
			both := slices.Contains(written, want.FinalAction) && slices.Contains(written, got.Action)
			checks = append(checks, both || want.FinalAction == got.Action)
		}
		if want.Intent != "" {
			checks = append(checks, want.Intent == got.Intent)
		}
	}
	if len(checks) == 0 {
		return 0, false
	}
	right := 0
	for _, ok := range checks {
		if ok {
			right++
		}
	}
	return float64(right) / float64(len(checks)), true
}

// leastWords is how many words a text has that tells its language for certain.
const leastWords = 3

// language compares that of a reply that says enough to tell. Quotations, names and numbers
// say nothing, as in the validator LANGUAGE_MISMATCH.
func language(want *Expected, got *Given) []bool {
	tongue := want.Language
	if tongue == "" {
		tongue = got.Tongue
	}
	if got.Reply == "" {
		if want.Language == "" {
			return nil
		}
		return []bool{false}
	}
	g := lang.Identify(lang.Names(got.Names...).Without(got.Reply))
	switch {
	case g.Lang == lang.Unknown:
		return nil
	case g.Lang == lang.Uzbek && tongue != "uz" && strings.HasPrefix(tongue, "uz"):
		return []bool{tongue == "uz-Latn" && g.Script != script.Cyrillic || tongue == "uz-Cyrl" && g.Script == script.Cyrillic}
	case tongue != g.Lang.Code() && g.Words < leastWords && fits(tongue, g.Script):
		return nil
	}
	return []bool{tongue == g.Lang.Code()}
}

// fits says whether a language may be written in a script.
func fits(tongue string, s script.Script) bool {
	switch tongue {
	case "ru":
		return s == script.Cyrillic
	case "en":
		return s == script.Latin
	}
	return s == script.Latin || s == script.Cyrillic
}

// leastBeginning is how many letters a word has whose endings may differ.
const leastBeginning = 4

// has says whether words follow each other in a text. A longer word may have other endings
// there.
func has(text, words []string) bool {
	if len(words) == 0 {
		return true
	}
	for i := 0; i+len(words) <= len(text); i++ {
		if equal(text[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

func equal(text, words []string) bool {
	for i, w := range words {
		long := len(w) >= leastBeginning && !digits(w)
		if text[i] != w && !(long && strings.HasPrefix(text[i], w)) {
			return false
		}
	}
	return true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// tokens are the words of a text in the form in which writings are equal: one script, no
// case, numbers without the gaps between thousands.
func tokens(s string) (out []string) {
	number := false // the last word is one that thousands may follow
	for _, w := range script.Tokens(s) {
		if k := script.Key(w); k != "" {
			w = k
		}
		if n := len(out); number && len(w) == thousands && digits(w) {
			out[n-1] += w
			continue
		}
		number = len(w) <= thousands && digits(w)
		out = append(out, w)
	}
	return out
}

// thousands is how many digits the groups of a number have.
const thousands = 3
