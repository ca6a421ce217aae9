// Package demo is a model without a model: it shows what the service does where nobody has
// connected a provider, and it costs nothing.
//
// It promises that the same question has the same answer, that it reaches no network, and
// that what it was given comes back whole: variables in a text survive. It refuses to
// pretend: it tidies, shortens and frames texts, answers customers from the offers and the
// knowledge of the question, and says nothing that it was not told.
// Whoever shows its words calls them "Demo" (contract 12.7).
package demo

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"svc/ai"
)

// Name is the one model there is.
const Name = "demo"

// Dims is the length of its vectors.
const Dims = 256

// Model is the demo model. Safe for concurrent use.
type Model struct{}

// New makes it.
func New() *Model { return &Model{} }

// asked is what it understands of a question: the JSON of the last message of the user.
type asked struct {
	Probe     string `json:"probe"`
	Nonce     string `json:"nonce"`
	Task      string `json:"task"`
	Brief     string `json:"brief"`
	Text      string `json:"text"`
	Language  string `json:"language"`
	MaxLength int    `json:"max_length"`
	Variants  int    `json:"variants"`

	// The questions of the seller.
	judged judged
	wanted wanted
	booked booking
	seen   seen // of conversations and boards
}

// Generate implements ai.Model.
func (*Model) Generate(ctx context.Context, r ai.Request) (out ai.Response, err error) {
	if err := ctx.Err(); err != nil {
		return out, ai.Interrupted(ctx, err, false)
	}
	if r.Model != Name {
		return out, &ai.Error{Fault: ai.NotFound, Status: 404, Reached: true}
	}
	var q asked
	last := ""
	for _, m := range r.Messages {
		if m.Role == ai.User {
			last = m.Text
		}
	}
	if found := ai.FindJSON(last); found != nil {
		_ = json.Unmarshal(found, &q) // what is no question of ours is answered as such
		_ = json.Unmarshal(found, &q.judged)
		_ = json.Unmarshal(found, &q.wanted)
		_ = json.Unmarshal(found, &q.booked)
		_ = json.Unmarshal(found, &q.seen)
	}
	out = ai.Response{Model: Name, Stop: ai.StopEnd}
	if len(r.Tools) > 0 && q.Probe == "tool" {
		args, err := json.Marshal(map[string]string{"nonce": q.Nonce})
		if err != nil {
			return out, err
		}
		out.Calls = []ai.Call{{ID: "call_1", Name: r.Tools[0].Name, Arguments: args}}
	}
	out.Text = q.answer(r.Schema)
	if r.MaxTokens > 0 && ai.EstimateText(out.Text) > int64(r.MaxTokens) {
		out.Stop = ai.StopLength
	}
	return out, out.Finish(&r)
}

// answer writes the text of an answer: JSON where a schema is asked for.
func (q *asked) answer(schema *ai.Schema) string {
	if schema == nil {
		if q.Probe != "" {
			return "OK"
		}
		return q.compose()[0]
	}
	switch q.Task {
	case "DECIDE":
		return written(q.judged.decide(schema))
	case "REPLY":
		return written(q.wanted.reply())
	case "BOOK":
		return written(q.booked.book(q.Language))
	case "ANALYSE":
		return written(q.seen.analyse(schema))
	case "SOCIAL":
		return written(q.seen.social())
	case "EXPLAIN":
		return written(q.seen.explain(q.Language))
	case "NAME_CASE":
		return written(q.seen.nameCase())
	case "NARRATIVE":
		return written(q.seen.boardSummary(q.Language))
	case "SUMMARY":
		return written(q.seen.summarise(q.Language))
	}
	texts := q.compose()
	fields := map[string]any{}
	for _, f := range schema.Root.Fields {
		switch {
		case f.Name == "nonce":
			fields[f.Name] = q.Nonce
		case f.Type == ai.Array:
			fields[f.Name] = texts[1:]
		case f.Type == ai.Boolean:
			fields[f.Name] = false
		case f.Type == ai.Integer || f.Type == ai.Number:
			fields[f.Name] = 0
		case len(f.Enum) > 0:
			fields[f.Name] = f.Enum[0]
		default:
			fields[f.Name] = texts[0]
		}
	}
	return written(fields)
}

// written is an answer as JSON.
func written(fields map[string]any) string {
	b, err := json.Marshal(fields)
	if err != nil {
		return ""
	}
	return string(b)
}

// Embed implements ai.Embedder: hashed trigrams of the folded text.
func (*Model) Embed(ctx context.Context, model string, dims int, texts []string, _ bool) (out ai.Vectors, err error) {
	switch {
	case ctx.Err() != nil:
		return out, ai.Interrupted(ctx, ctx.Err(), false)
	case model != Name:
		return out, &ai.Error{Fault: ai.NotFound, Status: 404, Reached: true}
	case len(texts) == 0 || len(texts) > ai.MaxTexts || dims != 0 && dims != Dims:
		return out, &ai.Error{Fault: ai.BadRequest, Status: 400, Reached: true}
	}
	for _, t := range texts {
		out.Values = append(out.Values, vector(t))
	}
	return out, out.Finish(texts)
}

func vector(text string) []float32 {
	folded := []rune(" " + fold(text) + " ")
	out := make([]float32, Dims)
	for i := 0; i+3 <= len(folded); i++ {
		h := fnv.New32a()
		_, _ = h.Write([]byte(string(folded[i : i+3]))) // it never fails
		out[h.Sum32()%Dims]++
	}
	out[0] += 1e-3 // no text is a vector of nothing
	return out
}

// fold makes texts equal that differ in case and apostrophes.
func fold(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("'ʻʼ‘’`´", r):
			return '\''
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
}

// Models implements ai.Lister.
func (*Model) Models(context.Context) ([]ai.Listed, error) {
	return []ai.Listed{{ID: Name, Label: "Demo model (no language model)", ContextTokens: 32_000}}, nil
}
