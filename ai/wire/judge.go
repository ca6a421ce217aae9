package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"svc/ai"
)

// maxError is how much of an error body is looked at.
const maxError = 4 << 10

// Said is what an error body says, in whichever of the shapes that servers use.
type Said struct {
	Code, Type, Message, Param string
	// Reasons are further words to judge by: of details.
	Reasons []string
}

// ReadError reads an error body: {"error":{...}}, {"error":"text"}, {"message":...},
// {"detail":"text"}; a code may be a number. What is none of them says nothing.
func ReadError(body []byte) (s Said) {
	if len(body) > maxError {
		body = body[:maxError] // judged by what can be found in the beginning
		return Said{Message: string(body)}
	}
	var whole struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Code    json.RawMessage `json:"code"`
		Type    json.RawMessage `json:"type"`
	}
	if json.Unmarshal(body, &whole) != nil {
		return s
	}
	if text := text(whole.Error); text != "" {
		return Said{Message: text}
	}
	if len(whole.Error) == 0 || bytes.Equal(whole.Error, []byte("null")) {
		s = Said{Code: text(whole.Code), Type: text(whole.Type), Message: text(whole.Message)}
		if s.Message == "" {
			s.Message = text(whole.Detail)
		}
		return s
	}
	var inner struct {
		Code    json.RawMessage `json:"code"`
		Status  json.RawMessage `json:"status"`
		Type    json.RawMessage `json:"type"`
		Message json.RawMessage `json:"message"`
		Param   json.RawMessage `json:"param"`
	}
	if json.Unmarshal(whole.Error, &inner) != nil {
		return s
	}
	s = Said{Code: text(inner.Code), Type: text(inner.Type), Message: text(inner.Message), Param: text(inner.Param)}
	if s.Type == "" {
		s.Type = text(inner.Status)
	}
	return s
}

// text is a JSON string or number as text, "" for anything else.
func text(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if len(raw) == 0 || d.Decode(&v) != nil {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// Words that tell faults apart where the status does not (contract 12.4).
var (
	quotaWords = []string{
		"insufficient_quota", "billing_hard_limit_reached", "exceeded your current quota", "insufficient credit", "insufficient_credit",
		"insufficient balance", "insufficient_balance", "insufficient quota", "credit balance is too low", "billing_error", "billing account",
	}
	longWords = []string{
		"context_length_exceeded", "maximum context length", "context size", "context window", "prompt is too long", "token count exceeds",
		"exceeds the maximum number of tokens",
	}
	refusedWords = []string{"content_policy_violation", "content_filter", "content management policy"}
	keyWords     = []string{"invalid_api_key", "api_key_invalid", "authentication_error", "api key not valid", "incorrect api key"}
	formatWords  = []string{"response_format", "json_schema", "json_object", "output_config", "responsejsonschema", "response_json_schema"}
)

func hasAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// Judge finds the fault of an answer that is an error, from its status and from what the
// body says. status is that of the error, which a body may name where HTTP says 200.
func (s Said) Judge(status int) ai.Fault {
	words := strings.ToLower(strings.Join(append([]string{s.Code, s.Type, s.Message}, s.Reasons...), "\n"))
	switch {
	case hasAny(words, quotaWords), status == 402:
		return ai.Quota
	case status == 401, hasAny(words, keyWords):
		return ai.BadKey
	case hasAny(words, refusedWords):
		return ai.Refused
	case strings.Contains(words, "overloaded"), status == 503, status == 529:
		return ai.Overloaded
	case status == 429, strings.Contains(words, "rate_limit_error"), strings.Contains(words, "rate_limit_exceeded"):
		return ai.RateLimited
	case status == 408, status == 504, strings.Contains(words, "timeout_error"):
		return ai.Timeout
	case status >= 500:
		return ai.Unavailable
	case hasAny(words, longWords):
		return ai.TooLong
	case status == 403:
		return ai.Forbidden
	case status == 404:
		return ai.NotFound
	}
	return ai.BadRequest
}

// Rejects says whether the server does not know how an answer of a form was asked for.
func (s Said) Rejects() bool {
	return hasAny(strings.ToLower(s.Param+"\n"+s.Message), formatWords)
}

// Fail is the error of an answer that is none: the page of something in between, or what
// the provider says of the failure.
func (a *Answer) Fail(s Said) *ai.Error {
	if a.Page() && (a.Status < 400 || a.Status >= 500) {
		return a.Error(pageFault(a.Status), "html")
	}
	code := s.Code
	if code == "" || numeric(code) {
		code = s.Type
	}
	e := a.Error(s.Judge(a.Status), code)
	e.Format = e.Fault == ai.BadRequest && s.Rejects()
	return e
}

func pageFault(status int) ai.Fault {
	switch status {
	case 504:
		return ai.Timeout
	case 503, 529:
		return ai.Overloaded
	}
	return ai.Unavailable
}

func numeric(s string) bool { return strings.Trim(s, "0123456789") == "" }
