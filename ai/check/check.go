package check

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"svc/ai/facts"
	"svc/ai/ground"
	"svc/ai/lang"
	"svc/ai/phrase"
	"svc/ai/signals"
	"svc/geo/text/script"
)

// Code names a validator.
type Code string

// The validators, in the order in which they run.
const (
	EmptyReply         Code = "EMPTY_REPLY"
	TooLong            Code = "TOO_LONG"
	LanguageMismatch   Code = "LANGUAGE_MISMATCH"
	ClaimsHuman        Code = "CLAIMS_HUMAN"
	AIQuestion         Code = "AI_QUESTION_UNANSWERED"
	DisclosureMissing  Code = "DISCLOSURE_MISSING"
	AsksForSecrets     Code = "ASKS_FOR_SECRETS"
	ProhibitedPhrase   Code = "PROHIBITED_PHRASE"
	ProhibitedAction   Code = "PROHIBITED_ACTION"
	InvalidAction      Code = "INVALID_ACTION"
	TooManyQuestions   Code = "TOO_MANY_QUESTIONS"
	Repetition         Code = "REPETITION"
	UngroundedFact     Code = "UNGROUNDED_FACT"
	disclosureFirst         = "FIRST_MESSAGE"
	maxQuestionsByRule      = 2
)

// Unit is what a channel counts the length of a text in.
type Unit string

// The units of the channels.
const (
	UTF16      Unit = "UTF16"
	Bytes      Unit = "BYTES"
	Characters Unit = "CHARACTERS"
)

// Settings are those of the seller that a reply is held to.
type Settings struct {
	MaxCharacters     int               // 0 without a limit
	ProhibitedPhrases []string          //
	Disclosure        map[string]string // by language: uz, ru, en
	DisclosureMode    string            // FIRST_MESSAGE, WHEN_ASKED
	Languages         []string          // of the business: uz, ru, en; empty allows all
	DefaultLanguage   string
	Script            string   // LATIN, CYRILLIC, SAME_AS_CUSTOMER or empty
	Glossary          []string // terms that belong to no language
	MaxQuestions      int      // 0 means the rule's own limit
	// Mixing: words of other languages may stand among those of the reply's own.
	Mixing bool
}

// Stage is the stage of the funnel in which the conversation is.
type Stage struct {
	Allowed, Prohibited []string
	Proposed            string   // the stage that the reply proposes; empty without one
	Keys                []string // of the funnel; empty is not checked
}

// Input is a reply and all that it is held to.
type Input struct {
	Reply    string
	NoReply  bool // the model chose to say nothing
	Action   string
	OfferIDs []string // that the reply says it used
	ChunkIDs []string
	Sources  ground.Sources // Burst and CustomerText are the customer's
	Settings Settings
	Stage    Stage
	// Own are the last texts of ours, newest last; First says that no message of the AI
	// was sent before.
	Own       []string
	Disclosed bool // an earlier message of the AI has the disclosure
	// Appointment is what the reply says of one; nil for nothing. What became of the one
	// before may have been told in the same words.
	Appointment *Appointment
	// Signature stands below the reply and below earlier ones; "" for none. It is of no language,
	// and saying it again repeats nothing.
	Signature         string
	ChannelLimit      int // 0 without one
	ChannelUnit       Unit
	CalendarConnected bool
	Files             int
	// Instructions are our own, which a reply must not repeat, and Canary the secret word
	// in them.
	Instructions, Canary string
	Now                  time.Time
	Zone                 *time.Location
}

// Result is what one validator says. Span is a part of the reply.
type Result struct {
	Code   Code
	Passed bool
	Detail string
	Span   string
}

// judge is a reply that was read once for all validators.
type judge struct {
	*Input
	text  phrase.Text
	human phrase.Text
	facts []facts.Fact
	lang  lang.Guess
	asks  bool // the customer asks whether a machine writes
}

type validator struct {
	code Code
	run  func(j *judge) (detail, span string)
}

var validators = []validator{
	{EmptyReply, emptyReply}, {TooLong, tooLong}, {LanguageMismatch, languageMismatch}, {ClaimsHuman, claims}, {AIQuestion, aiQuestion},
	{DisclosureMissing, disclosureMissing}, {AsksForSecrets, asksForSecrets}, {ProhibitedPhrase, prohibitedPhrase}, {ProhibitedAction, prohibitedAction},
	{InvalidAction, invalidAction}, {TooManyQuestions, tooManyQuestions}, {Repetition, repetition}, {UngroundedFact, ungroundedFact},
}

// Run judges a reply by all validators, in their order. A reply that was meant to be none
// passes them all; of one without letters and digits only the first one speaks.
func Run(in Input) []Result {
	if len(in.Reply) > maxText {
		in.Reply = in.Reply[:maxText]
	}
	in.Reply = strings.ToValidUTF8(in.Reply, " ")
	j := &judge{Input: &in, text: phrase.Read(in.Reply, checkWords), human: readHuman(in.Reply)}
	j.asks = signals.Read(in.Sources.Burst, nil).AsksAI
	j.lang = lang.Identify(in.Reply)
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	in.Sources.Now, in.Sources.Zone = in.Now, in.Zone
	j.facts = ground.Beside(in.Sources.Offers, in.Reply, j.lang.Lang.Code(), in.Now, in.Zone)
	out := make([]Result, 0, len(validators))
	empty := nothingLeft(in.Reply)
	for _, v := range validators {
		r := Result{Code: v.code, Passed: true}
		if !in.NoReply && (!empty || v.code == EmptyReply || v.code == InvalidAction) {
			r.Detail, r.Span = v.run(j)
			r.Passed = r.Detail == ""
		}
		out = append(out, r)
	}
	return out
}

// Failed are the codes of the validators that a reply did not pass.
func Failed(results []Result) (codes []Code) {
	for _, r := range results {
		if !r.Passed {
			codes = append(codes, r.Code)
		}
	}
	return codes
}

// unsigned is a text of ours without the signature below it: a beginning of the text.
func (j *judge) unsigned(text string) string {
	if j.Signature == "" {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, " \n"), j.Signature)
}

func nothingLeft(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

func emptyReply(j *judge) (string, string) {
	if nothingLeft(j.Reply) {
		return "the reply has no letter and no digit", ""
	}
	return "", ""
}

func tooLong(j *judge) (string, string) {
	count := func(u Unit) int {
		switch u {
		case Bytes:
			return len(j.Reply)
		case Characters:
			return len([]rune(j.Reply))
		}
		return len(utf16.Encode([]rune(j.Reply)))
	}
	if n := count(j.ChannelUnit); j.ChannelLimit > 0 && n > j.ChannelLimit {
		return fmt.Sprintf("the reply has %d of at most %d of the channel", n, j.ChannelLimit), ""
	}
	if n := count(Characters); j.Settings.MaxCharacters > 0 && n > j.Settings.MaxCharacters {
		return fmt.Sprintf("the reply has %d of at most %d characters", n, j.Settings.MaxCharacters), ""
	}
	return "", ""
}

func claims(j *judge) (string, string) {
	if a, b, ok := claimsHuman(&j.human); ok {
		return "the reply claims that a person writes", j.human.Span(a, b)
	}
	return "", ""
}

func aiQuestion(j *judge) (string, string) {
	if !j.asks || j.saysMachine() {
		return "", ""
	}
	return "the customer asks whether a machine writes, and the reply does not say so", ""
}

// saysMachine tells whether the reply says that a machine writes, and does not deny it.
func (j *judge) saysMachine() bool {
	if j.hasDisclosure(j.Reply) {
		return true
	}
	t := &j.human
	for i := range t.Words {
		if !is(t, i, hMachine) || goodsToo(t, i) {
			continue
		}
		if _, denied := deniesMachine(t, i); !denied {
			return true
		}
	}
	return false
}

func (j *judge) hasDisclosure(text string) bool {
	have := strings.Join(script.Tokens(text), " ")
	for _, d := range j.Settings.Disclosure {
		if want := strings.Join(script.Tokens(d), " "); want != "" && strings.Contains(have, want) {
			return true
		}
	}
	return false
}

func disclosureMissing(j *judge) (string, string) {
	if j.Settings.DisclosureMode != disclosureFirst || len(j.Settings.Disclosure) == 0 || j.Disclosed || j.hasDisclosure(j.Reply) {
		return "", ""
	}
	for _, own := range j.Own {
		if j.hasDisclosure(own) {
			return "", ""
		}
	}
	return "the first message lacks the disclosure", ""
}

func ungroundedFact(j *judge) (string, string) {
	wrong := ground.Ground(j.facts, &j.Sources)
	if len(wrong) == 0 {
		return "", ""
	}
	details := make([]string, 0, 4)
	for i, w := range wrong {
		if i == 4 {
			break
		}
		details = append(details, w.Detail)
	}
	return strings.Join(details, "; "), wrong[0].Text
}
