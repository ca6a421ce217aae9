// Package answer decides what a customer wants and writes what the seller answers: signals
// and rules, the decision of a model, knowledge, the words, the validators.
//
// It promises that a request for a person and a complaint never reach a model that writes,
// that nothing is answered which a validator refuses, with one more try, that everything
// from outside stands in the prompt as data, and that what may be done follows from the
// level and the scenario by one table (contract 11.5). It refuses to store, to send and to
// know conversations: package turn does for customers, package playground for tries.
package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/check"
	"svc/ai/decide"
	"svc/ai/lang"
	"svc/ai/mask"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/jev"
	"svc/geo/text/script"
)

// Author says who wrote a message of a conversation.
type Author string

// The authors, as a prompt names them.
const (
	Customer Author = "customer"
	Seller   Author = "seller"    // the AI
	Person   Author = "colleague" // somebody of the team
)

// Said is one message.
type Said struct {
	ID   string    `json:"-"` // "" of one that nobody keeps
	From Author    `json:"from"`
	Text string    `json:"text"`
	At   time.Time `json:"-"`
	// Sent: a customer has it. What waits, or failed, grounds nothing.
	Sent bool `json:"-"`
	// Files is how many files it has beside its text.
	Files int `json:"files,omitempty"`
}

// Known is one fact of the memory of a conversation.
type Known struct {
	ID    string `json:"-"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Hit is a part of the knowledge of a business.
type Hit struct {
	SourceID string
	Version  int
	Chunk    int
	Title    string
	Text     string
	Score    float64
	// Question and Answer are those of an approved answer, "" for any other text.
	Question, Answer string
}

// Wanted is what is looked for in the knowledge of a business.
type Wanted struct {
	Org, Business      string
	Question, Language string
	// Limit and Characters bound the parts that are answered.
	Limit, Characters int
}

// Knowledge finds what a business knows.
type Knowledge interface {
	// Find answers the parts nearest to a question, the best first; none: nothing is relevant.
	// work pays for what it asks of a model. ErrNotSearched: the seller may not search.
	Find(ctx context.Context, work *execution.Work, about Wanted) ([]Hit, error)
	// Answers are the approved answers of a business.
	Answers(ctx context.Context, org, business string, limit int) ([]Hit, error)
}

// ErrNotSearched says that the knowledge of a business was not looked at, so that nobody knows
// whether it answers a question.
var ErrNotSearched = errors.New("answer: knowledge is not searched")

// NoKnowledge is that of a business without any.
type NoKnowledge struct{}

// Find implements Knowledge.
func (NoKnowledge) Find(context.Context, *execution.Work, Wanted) ([]Hit, error) { return nil, nil }

// Answers implements Knowledge.
func (NoKnowledge) Answers(context.Context, string, string, int) ([]Hit, error) { return nil, nil }

// Situation is all that an answer depends on.
type Situation struct {
	Org           string
	Business      business.Business
	Settings      business.Settings
	Version       int // of the settings
	Funnel        business.Funnel
	Stage         string // of the conversation; "" before the first
	Identity      business.Identity
	Communication business.Communication
	Languages     map[business.Language]business.LanguageProfile
	Offers        []business.Offer // active ones, the highest priority first
	// LeadOffers are the ids of those that the customer is interested in: they are always in the
	// prompt.
	LeadOffers []string
	// Messages are the newest of the conversation, the oldest first; the last Burst of them
	// are what is answered.
	Messages  []Said
	Burst     int
	Memory    []Known
	Summary   string
	StopWords []string
	Knowledge Knowledge
	// Reviews are what people said of decisions of models.
	Reviews decide.Reviews
	// Level is how much may be done, at most that of the settings.
	Level int
	// MaxLength and Unit are those of the network; 0: none.
	MaxLength int
	Unit      check.Unit
	// Canary is a secret word that stands in the instructions only.
	Canary string
	// Notice is a sentence that follows the answer, such as that the business is closed.
	Notice string
	Now    time.Time
	// Times is what may be done with the calendar; nil: no time can be proposed.
	Times *Times
	// Tried is the agent of which Chain and Prompt are, DECISION or SELLER; "": SELLER.
	Tried agent.Agent
	// Chain replaces the models of the agent that is tried; nil: those.
	Chain []agent.ChainEntry
	// JEV asks the outside decision service; nil: nobody. Its error jev.ErrOff means that nobody
	// was asked.
	JEV func(ctx context.Context, org string, q *decide.JEVRequest) (jev.Answer, jev.Fallback, error)
	// Prompt is a version of a prompt of the agent that is tried; "" is the active one.
	Prompt string
	// FollowUp: the customer is silent, and this is written without a question.
	FollowUp bool
}

// asked says how an agent is asked, in a language.
func (s *Situation) asked(who agent.Agent, language string) execution.Asked {
	out := execution.Asked{Agent: who, Language: language}
	if who == cmp.Or(s.Tried, agent.Seller) {
		out.Chain, out.Prompt = s.Chain, s.Prompt
	}
	return out
}

// The bounds of what a prompt holds.
const (
	maxMessages   = 20
	maxCharacters = 12_000
	maxOffers     = 20 // of more than allOffers
	allOffers     = 40
	maxChunks     = 6
	maxKnowledge  = 6_000 // characters
	maxMemory     = 10
	maxAnswers    = 200
)

// Bound leaves of messages, the oldest first, as many of the newest as a prompt holds.
func Bound(list []Said) []Said {
	list = list[max(0, len(list)-maxMessages):]
	left := maxCharacters
	for i := len(list) - 1; i >= 0; i-- {
		if left -= len([]rune(list[i].Text)); left < 0 && i < len(list)-1 {
			return list[i+1:]
		}
	}
	return list
}

// BurstOf is how many of the last messages are the customer's.
func BurstOf(list []Said) (n int) {
	for i := len(list) - 1; i >= 0 && list[i].From == Customer; i-- {
		n++
	}
	return n
}

// burst is what is answered, as one text.
func (s *Situation) burst() string {
	var texts []string
	for _, m := range s.Messages[len(s.Messages)-s.Burst:] {
		if m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// texts are those of an author that a customer has, the oldest first.
func (s *Situation) texts(from Author) (out []string) {
	for _, m := range s.Messages {
		if m.From == from && m.Text != "" && (from == Customer || m.Sent) {
			out = append(out, m.Text)
		}
	}
	return out
}

// Tongue is in which language and letters a customer is answered.
type Tongue struct {
	Language business.Language
	Cyrillic bool
}

// Tag is that of the language and script: uz-Latn, uz-Cyrl, ru, en.
func (t Tongue) Tag() string {
	switch {
	case t.Language != business.Uzbek:
		return string(t.Language)
	case t.Cyrillic:
		return "uz-Cyrl"
	}
	return "uz-Latn"
}

// TongueOf is in which language and letters the customer of a situation is answered.
func TongueOf(s *Situation) Tongue { return s.tongue() }

// tongue is that of the customer, else of the business; a language that the business does not
// speak is its default.
func (s *Situation) tongue() Tongue {
	out := Tongue{Language: s.Business.DefaultLanguage}
	g := lang.Customer(s.burst(), s.texts(Customer), s.Names())
	if l := business.Language(g.Lang.Code()); g.Lang != lang.Unknown && slices.Contains(s.Business.Languages, l) {
		out = Tongue{Language: l, Cyrillic: g.Script == script.Cyrillic}
	}
	switch profile := s.Languages[out.Language]; {
	case out.Language == business.Russian:
		out.Cyrillic = true
	case out.Language == business.English:
		out.Cyrillic = false
	case profile.Script == business.Latin:
		out.Cyrillic = false
	case profile.Script == business.Cyrillic:
		out.Cyrillic = true
	}
	return out
}

// Names are those that may be said in any language: of the business, its offers and the
// terms of the glossaries.
func (s *Situation) Names() []string {
	out := append(s.terms(), s.Business.Name)
	for i := range s.Offers {
		out = append(out, s.Offers[i].Name)
	}
	return out
}

// terms are those of the glossaries, as the seller writes them.
func (s *Situation) terms() (out []string) {
	for _, profile := range s.Languages {
		for _, t := range profile.Glossary {
			out = append(out, t.Use)
		}
	}
	return out
}

// Signature stands below what the persona writes, "" for none.
func (s *Situation) Signature() string { return strings.TrimSpace(or(s.Identity.Signature)) }

// In is a text of the settings in a language and its letters.
func (t Tongue) In(texts business.Texts) string { return t.letters(texts.In(t.Language)) }

// Format is a text whose verbs are filled in, in a language and its letters: what is filled in
// comes in these letters too.
func (t Tongue) Format(texts business.Texts, args ...any) string {
	return t.letters(fmt.Sprintf(texts.In(t.Language), args...))
}

func (t Tongue) letters(text string) string {
	if t.Language == business.Uzbek && t.Cyrillic {
		return script.ToCyrillic(text)
	}
	return text
}

// disclosed says whether a customer was told in this conversation that a machine writes.
func (s *Situation) disclosed() bool {
	for _, said := range s.texts(Seller) {
		for _, d := range []string{s.Settings.Disclosure.Uzbek, s.Settings.Disclosure.Russian, s.Settings.Disclosure.English} {
			if d != "" && (strings.Contains(said, d) || strings.Contains(said, script.ToCyrillic(d))) {
				return true
			}
		}
	}
	return false
}

// clean takes out of a text what nobody sees: marks that turn the direction of letters, and
// characters of no width. No card number passes either.
func clean(text string) string { return mask.Cards(ai.Visible(text)).Text }
