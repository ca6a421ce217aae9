// Package openai speaks the chat completions interface: of OpenAI and of the many servers
// that are compatible with it (Ollama, vLLM, llama.cpp, LM Studio, OpenRouter).
//
// It promises what package ai does, over plain HTTP. It refuses to send a compatible
// server what many of them do not know: they get max_tokens and no store, and a schema in
// the way that was found to work there (contract 12.6).
package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/ai"
	"svc/ai/wire"
)

// BaseURL is OpenAI's own address.
const BaseURL = "https://api.openai.com/v1"

// openRouter is the host that needs to be told not to pick a server which ignores the
// schema.
const openRouter = "openrouter.ai"

// Client is a provider. Safe for concurrent use.
type Client struct {
	http   *http.Client
	base   string
	header []string
	// compatible: not OpenAI itself.
	compatible, router bool
}

// New makes a client for kind OpenAI or Compatible.
func New(client *http.Client, c ai.Config) *Client {
	base := strings.TrimRight(c.BaseURL, "/")
	if base == "" {
		base = BaseURL
	}
	key := c.Key
	if key == "" {
		key = "none" // servers that ignore it still want one
	}
	out := &Client{http: client, base: base, compatible: c.Kind == ai.Compatible}
	out.header = []string{"Authorization", "Bearer " + key, "OpenAI-Organization", c.Organization}
	if u, err := url.Parse(base); err == nil {
		out.router = u.Hostname() == openRouter || strings.HasSuffix(u.Hostname(), "."+openRouter)
	}
	return out
}

func (c *Client) do(ctx context.Context, method, path string, body any) (wire.Answer, error) {
	return wire.Do(ctx, c.http, wire.Call{Method: method, URL: c.base + path, Header: c.header, Body: body})
}

// Generate implements ai.Model.
func (c *Client) Generate(ctx context.Context, r ai.Request) (ai.Response, error) {
	a, err := c.do(ctx, http.MethodPost, "/chat/completions", c.request(&r))
	if err != nil {
		return ai.Response{}, err
	}
	return decode(&a, &r)
}

// chatRequest is the body of a call.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	Stop                []string        `json:"stop,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Tools               []tool          `json:"tools,omitempty"`
	Store               *bool           `json:"store,omitempty"`
	PromptCacheKey      string          `json:"prompt_cache_key,omitempty"`
	Provider            *routing        `json:"provider,omitempty"` // of OpenRouter
}

type routing struct {
	RequireParameters bool `json:"require_parameters"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function calledByName `json:"function"`
}

type calledByName struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Parameters  *ai.Node `json:"parameters"`
	Strict      bool     `json:"strict,omitempty"`
}

type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string   `json:"name"`
	Strict bool     `json:"strict"`
	Schema *ai.Node `json:"schema"`
}

func (c *Client) request(r *ai.Request) *chatRequest {
	out := &chatRequest{
		Model: r.Model, ReasoningEffort: string(r.Effort), Temperature: r.Temperature, Stop: r.Stop, ResponseFormat: formatOf(r),
	}
	if c.compatible {
		out.MaxTokens, out.ReasoningEffort = r.MaxTokens, ""
	} else {
		store := false
		out.MaxCompletionTokens, out.Store, out.PromptCacheKey = r.MaxTokens, &store, r.CacheKey
	}
	if c.router && out.ResponseFormat != nil {
		out.Provider = &routing{RequireParameters: true}
	}
	if system := r.SystemText(); system != "" {
		out.Messages = append(out.Messages, chatMessage{Role: "system", Content: system})
	}
	for _, m := range ai.Merged(r.Messages) {
		out.Messages = append(out.Messages, messageOf(&m))
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		out.Tools = append(out.Tools, tool{"function", function{t.Name, t.Description, t.Parameters, !c.compatible}})
	}
	return out
}

func messageOf(m *ai.Message) chatMessage {
	out := chatMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
	for _, call := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, toolCall{call.ID, "function", calledByName{call.Name, string(call.Arguments)}})
	}
	return out
}

func formatOf(r *ai.Request) *responseFormat {
	switch {
	case r.Schema == nil || r.Format == ai.FormatText:
		return nil
	case r.Format == ai.FormatObject:
		return &responseFormat{Type: "json_object"}
	}
	return &responseFormat{Type: "json_schema", JSONSchema: &jsonSchema{r.Schema.Name, true, r.Schema.Root}}
}

// chatAnswer is what is read of an answer.
type chatAnswer struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	FinishReason string `json:"finish_reason"`
	Message      struct {
		Content   *string    `json:"content"`
		Refusal   *string    `json:"refusal"`
		Reasoning *string    `json:"reasoning_content"`
		ToolCalls []toolCall `json:"tool_calls"`
	} `json:"message"`
}

type usage struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	PromptDetails    *struct {
		CachedTokens int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails *struct {
		ReasoningTokens int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// tokens takes the cached tokens out of those of the prompt, which hold them.
func (u *usage) tokens() (out ai.Usage) {
	if u == nil {
		return out
	}
	out.Input, out.Output = ai.TokenCount(u.PromptTokens), ai.TokenCount(u.CompletionTokens)
	if u.PromptDetails != nil {
		out.CachedInput = min(ai.TokenCount(u.PromptDetails.CachedTokens), out.Input)
		out.Input -= out.CachedInput
	}
	if u.CompletionDetails != nil {
		out.Reasoning = min(ai.TokenCount(u.CompletionDetails.ReasoningTokens), out.Output)
	}
	return out
}

// decode judges an answer and reads it.
func decode(a *wire.Answer, asked *ai.Request) (out ai.Response, err error) {
	if a.Status < 200 || a.Status > 299 {
		return out, a.Fail(wire.ReadError(a.Body))
	}
	var got chatAnswer
	if a.Page() {
		return out, a.Fail(wire.Said{})
	}
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return out, a.Error(ai.BadOutput, "not_json")
	}
	if len(got.Choices) == 0 {
		return out, withoutChoices(a, &got)
	}
	out.Model, out.RequestID, out.Usage = got.Model, a.RequestID, got.Usage.tokens()
	if out.RequestID == "" {
		out.RequestID = ai.Clean(got.ID)
	}
	first := &got.Choices[0]
	if said(first.Message.Refusal) != "" || first.FinishReason == "content_filter" {
		e := a.Error(ai.Refused, "refusal")
		e.Usage = out.Usage
		return out, e
	}
	out.Text = said(first.Message.Content)
	if out.Text == "" && asked.Schema != nil {
		// Some servers put the answer where the reasoning belongs.
		if found := ai.FindJSON(said(first.Message.Reasoning)); found != nil && asked.Schema.Check(found) == nil {
			out.Text = string(found)
		}
	}
	for _, call := range first.Message.ToolCalls {
		out.Calls = append(out.Calls, ai.Call{ID: call.ID, Name: call.Function.Name, Arguments: json.RawMessage(call.Function.Arguments)})
	}
	out.Stop = ai.StopEnd
	if first.FinishReason == "length" {
		out.Stop = ai.StopLength
	}
	return out, out.Finish(asked)
}

func said(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// withoutChoices judges an answer of 200 that holds an error: some servers find out late.
func withoutChoices(a *wire.Answer, got *chatAnswer) error {
	if len(got.Error) == 0 || string(got.Error) == "null" {
		return a.Error(ai.BadOutput, "no_choices")
	}
	s := wire.ReadError(a.Body)
	status, err := strconv.Atoi(s.Code)
	if err != nil || status < 400 || status > 599 {
		status = http.StatusBadGateway
	}
	code := s.Code
	if err == nil {
		code = s.Type
	}
	e := a.Error(s.Judge(status), code)
	e.Status = status
	return e
}
