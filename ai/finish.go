package ai

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finish ends an answer as every provider's must: the JSON of a schema is found and
// checked, an answer that was cut off or says nothing is a fault, and usage that the
// provider did not tell is estimated. Usage stays known with the fault, since such
// answers are billed.
func (r *Response) Finish(asked *Request) error {
	if r.Usage.IsZero() {
		r.Usage = Usage{Input: asked.Estimate(), Output: EstimateText(r.Text), Estimated: true}
	}
	bad := func(detail string) error {
		return &Error{Fault: BadOutput, Status: 200, Reached: true, RequestID: r.RequestID, Usage: r.Usage, Detail: detail}
	}
	for i := range r.Calls {
		if !json.Valid(r.Calls[i].Arguments) {
			return bad("arguments of a tool that are no JSON")
		}
	}
	switch {
	case r.Stop == StopLength && (asked.Schema != nil || len(r.Calls) > 0):
		return bad("cut off at the most tokens")
	case len(r.Calls) > 0:
		r.Stop = StopTools
		return nil
	case r.Text == "":
		return bad("an empty answer")
	case asked.Schema == nil:
		return nil
	}
	found := json.RawMessage(r.Text)
	if !json.Valid(found) {
		if found = FindJSON(r.Text); found == nil {
			return bad("an answer without JSON")
		}
	}
	if err := asked.Schema.Check(found); err != nil {
		return bad(err.Error())
	}
	r.JSON = found
	return nil
}

// Visible takes out of a text what nobody sees: controls, marks that turn the direction of
// letters, and characters of no width but those that join a picture. Models write them where a
// text that they read told them to.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) && r != '\u200d' {
			return -1
		}
		return r
	}, text)
}

// perMessage are the tokens that stand around each message.
const perMessage = 8

// Estimate counts the tokens of a request from its bytes, for reservations and for
// providers that do not say (contract 12.3). It is a guess of the mean, not a bound.
func (r *Request) Estimate() int64 {
	n := EstimateText(r.System) + perMessage
	for i := range r.Messages {
		m := &r.Messages[i]
		n += EstimateText(m.Text) + perMessage
		for _, c := range m.Calls {
			n += EstimateText(c.Name) + int64(len(c.Arguments))/3 + perMessage
		}
	}
	for i := range r.Tools {
		n += EstimateText(r.Tools[i].Description) + perMessage
		if b, err := json.Marshal(r.Tools[i].Parameters); err == nil {
			n += int64(len(b)) / 3
		}
	}
	if r.Schema != nil {
		n += int64(len(r.Schema.Instruction())) / 3
	}
	return n
}

// EstimateText is the tokens of a text: three bytes each, four where two bytes make a
// letter, rounded up.
func EstimateText(s string) int64 {
	wide := 0 // bytes of characters beyond ASCII
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			wide++
		}
	}
	return int64((len(s)-wide+2)/3 + (wide+3)/4)
}

// Merged are the messages with neighbours of one role as one, since some providers refuse
// them otherwise. Results of tools stay apart.
func Merged(list []Message) []Message {
	out := make([]Message, 0, len(list))
	for _, m := range list {
		last := len(out) - 1
		if last >= 0 && out[last].Role == m.Role && m.Role != ToolResult && len(out[last].Calls) == 0 && len(m.Calls) == 0 {
			out[last].Text += "\n\n" + m.Text
			continue
		}
		out = append(out, m)
	}
	return out
}

// Shorter is the request with the newer half of its conversation: of its messages, or of the list
// "messages" in the JSON that its only one is, as agents are asked. ok is false where there is
// nothing to leave out.
func (r *Request) Shorter() (out Request, ok bool) {
	out = *r
	if n := len(r.Messages); n != 1 {
		out.Messages = r.Messages[n/2:]
		return out, n > 1
	}
	var whole map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal([]byte(r.Messages[0].Text), &whole) != nil || json.Unmarshal(whole["messages"], &list) != nil || len(list) < 2 {
		return out, false
	}
	half, err := json.Marshal(list[len(list)/2:])
	if err != nil {
		return out, false
	}
	whole["messages"] = half
	text, err := json.Marshal(whole)
	if err != nil {
		return out, false
	}
	only := r.Messages[0]
	only.Text = string(text)
	out.Messages = []Message{only}
	return out, true
}

// SystemText is the system prompt of a request, with the schema where the server does not
// enforce it.
func (r *Request) SystemText() string {
	if r.Schema == nil || r.Format == FormatSchema {
		return r.System
	}
	if r.System == "" {
		return r.Schema.Instruction()
	}
	return r.System + "\n\n" + r.Schema.Instruction()
}
