// Package compose lets a model write or change the text of a message.
//
// It promises that the {{variables}} of a text survive, and that what goes to a provider is
// what the caller wrote, never data of recipients (contract 12.5).
package compose

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/ai"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/chain"
	"svc/app/engine/execution"
	"svc/app/engine/provider"
	"svc/store"
)

// Service does the operation.
type Service struct {
	db     *store.DB
	chains *chain.Service
	runs   *execution.Service
}

// New makes the service.
func New(db *store.DB, chains *chain.Service, runs *execution.Service) *Service {
	return &Service{db, chains, runs}
}

// composeTimeout lets a chain of several models answer.
const composeTimeout = 2 * time.Minute

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/compose", "ai.compose", perm.AIOperate, "Let a model write or change the text of a message; {{variables}} survive.", s.compose,
			api.Timeout(composeTimeout), api.OrWith(perm.CampaignsManage), api.Errors(budget.Err, provider.ErrUnavailable, api.ErrState)),
	}
}

type composeIn struct {
	Body struct {
		Task          string  `json:"task" required:"true" enum:"WRITE,IMPROVE,SHORTEN,TRANSLATE,VARIANTS"`
		Brief         *string `json:"brief" maxLength:"4000" doc:"What to write about; WRITE needs it." example:"20 percent off until Friday"`
		Text          *string `json:"text" maxLength:"8000" doc:"What to change; IMPROVE, SHORTEN and TRANSLATE need it." example:"Hello {{first_name}}! Come in."`
		Language      string  `json:"language" required:"true" enum:"uz,ru,en" doc:"Of the answer."`
		Tone          *string `json:"tone" maxLength:"100" example:"friendly"`
		MaxLength     *int    `json:"max_length" minimum:"10" maximum:"4096" doc:"In characters."`
		KeepVariables *bool   `json:"keep_variables" default:"true" doc:"Every {{variable}} must come back, and no other."`
		ProviderID    *string `json:"provider_id" maxLength:"64" doc:"Asks this provider alone; with model."`
		Model         *string `json:"model" maxLength:"200"`
	}
}

// Composed is the answer of POST /ai/compose.
type Composed struct {
	Text        string          `json:"text" example:"Hello {{first_name}}! 20 percent off until Friday."`
	Variants    []string        `json:"variants" doc:"Of VARIANTS; null otherwise."`
	Warnings    []ComposeNotice `json:"warnings"`
	Tokens      int64           `json:"tokens"`
	CostUSD     float64         `json:"cost_usd"`
	ExecutionID string          `json:"execution_id"`
	Demo        bool            `json:"demo" doc:"No language model wrote this; show it as Demo."`
}

// ComposeNotice is something to know about a text.
type ComposeNotice struct {
	Code    string `json:"code" enum:"too_long,demo"`
	Message string `json:"message"`
}

const (
	composeTokens = 1500
	perCharacter  = 1 // tokens of output, at worst
	wantVariants  = 3
)

// composition is the question as the model gets it.
type composition struct {
	Task      string `json:"task"`
	Brief     string `json:"brief,omitempty"`
	Text      string `json:"text,omitempty"`
	Language  string `json:"language"`
	Tone      string `json:"tone,omitempty"`
	MaxLength int    `json:"max_length,omitempty"`
	Variants  int    `json:"variants,omitempty"`
}

// written is the answer as the model gives it.
type written struct {
	Text     string   `json:"text"`
	Variants []string `json:"variants"`
}

var writtenForm = &ai.Schema{Name: "message", Root: ai.Obj(
	ai.F("text", ai.String, "the text of the message"),
	ai.ListOf("variants", ai.String, "other versions of the text; empty unless variants are asked for"),
)}

func (in *composeIn) question() (q composition, err error) {
	b := &in.Body
	q = composition{Task: b.Task, Brief: text(b.Brief), Text: text(b.Text), Language: b.Language, Tone: text(b.Tone)}
	if b.MaxLength != nil {
		q.MaxLength = *b.MaxLength
	}
	if b.Task == "VARIANTS" {
		q.Variants = wantVariants
	}
	var brief, words, model error
	switch {
	case b.Task == "WRITE" && q.Brief == "":
		brief = api.Wrong("brief", "is required for WRITE: say what to write about")
	case b.Task == "VARIANTS" && q.Brief == "" && q.Text == "":
		words = api.Wrong("text", "or brief is required for VARIANTS")
	case b.Task != "WRITE" && b.Task != "VARIANTS" && q.Text == "":
		words = api.Wrong("text", "is required for %s: give the text to change", b.Task)
	}
	if (text(b.ProviderID) == "") != (text(b.Model) == "") {
		model = api.Wrong("model", "and provider_id belong together; leave both out for the chain of the agent COMPOSER")
	}
	return q, api.AllWrong(brief, words, model)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

func (s *Service) compose(c *api.Call, in composeIn) (out Composed, err error) {
	q, err := in.question()
	if err != nil {
		return out, err
	}
	var got written
	job, err := s.job(c, &in, q, &got)
	if err != nil {
		return out, err
	}
	res, err := s.runs.Run(c, job)
	if err != nil {
		return out, err
	}
	out = Composed{Text: got.Text, Tokens: res.TokensIn + res.TokensOut, CostUSD: res.Cost.USD(), ExecutionID: res.ExecutionID, Demo: res.Demo, Warnings: []ComposeNotice{}}
	if q.Variants > 0 {
		out.Variants = got.Variants
	}
	out.warn(&q)
	return out, nil
}

// job is the execution that asks a model the question, and leaves in got what it wrote.
func (s *Service) job(c *api.Call, in *composeIn, q composition, got *written) (job execution.Job, err error) {
	job = execution.Job{Org: c.Org, Mode: agent.Live, Question: execution.Question{Asked: execution.Asked{Agent: agent.Composer, Language: q.Language}}}
	if id := text(in.Body.ProviderID); id != "" {
		err := s.db.View(c, func(tx *store.Tx) (err error) {
			job.Chain, err = s.chains.One(tx, c.Org, id, text(in.Body.Model))
			return err
		})
		if err != nil {
			return job, err
		}
	}
	asked, err := json.Marshal(q)
	job.Request = ai.Request{
		System: q.instruction(), Schema: writtenForm, MaxTokens: q.tokens(), Effort: ai.Low,
		Messages: []ai.Message{{Role: ai.User, Text: string(asked)}},
	}
	keep := in.Body.KeepVariables == nil || *in.Body.KeepVariables
	job.Accept = func(r ai.Response) error {
		*got = written{}
		if err := json.Unmarshal(r.JSON, got); err != nil {
			return err
		}
		return q.accept(got, keep)
	}
	return job, err
}

// instruction says what the words of the question mean.
func (q *composition) instruction() string {
	return fmt.Sprintf("The next message is JSON: task %s, in the language %q. Answer the message in the field text; at most %d characters when max_length is given. "+
		"Put %d other versions into variants when variants is given, else leave it empty.", q.Task, q.Language, cmp.Or(q.MaxLength, 4096), q.Variants)
}

// tokens bounds the answer.
func (q *composition) tokens() int {
	longest := utf8.RuneCountInString(q.Text)*3/2 + 400
	if q.MaxLength > 0 {
		longest = q.MaxLength
	}
	return min(max(longest*perCharacter*(1+q.Variants), composeTokens), 4*composeTokens)
}

var anyVariable = regexp.MustCompile(`\{\{[^{}]*\}\}`)

// variableSet are the {{variables}} of texts as they are written, spaces aside.
func variableSet(texts ...string) []string {
	out := []string{}
	for _, t := range texts {
		for _, v := range anyVariable.FindAllString(t, -1) {
			out = append(out, strings.Join(strings.Fields(v), ""))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// accept refuses an answer that says nothing or has other variables than the question.
func (q *composition) accept(w *written, keep bool) error {
	w.Text = strings.TrimSpace(ai.Visible(w.Text))
	texts := []string{w.Text}
	for i, v := range w.Variants {
		w.Variants[i] = strings.TrimSpace(ai.Visible(v))
	}
	if q.Variants > 0 {
		if len(w.Variants) == 0 {
			return errors.New("no variants")
		}
		w.Variants = w.Variants[:min(len(w.Variants), q.Variants)]
		texts = append(texts, w.Variants...)
	}
	want := variableSet(q.Brief, q.Text)
	for _, t := range texts {
		if t == "" {
			return errors.New("an empty text")
		}
		if keep && !slices.Equal(variableSet(t), want) {
			return errors.New("other variables than asked")
		}
	}
	return nil
}

func (out *Composed) warn(q *composition) {
	for _, t := range append([]string{out.Text}, out.Variants...) {
		if q.MaxLength > 0 && utf8.RuneCountInString(t) > q.MaxLength {
			out.Warnings = append(out.Warnings, ComposeNotice{"too_long", fmt.Sprintf("The text is longer than %d characters.", q.MaxLength)})
			break
		}
	}
	if out.Demo {
		out.Warnings = append(out.Warnings, ComposeNotice{"demo", "Demo: no language model wrote this, and it is not translated. Connect an AI provider."})
	}
}
