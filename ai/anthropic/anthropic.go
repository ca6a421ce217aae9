// Package anthropic speaks the Messages interface of Anthropic.
//
// It promises what package ai does, over plain HTTP. Anthropic has no embeddings: Embed
// refuses.
package anthropic

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"svc/ai"
	"svc/ai/wire"
)

// BaseURL is Anthropic's own address, and Version the interface that is spoken.
const (
	BaseURL = "https://api.anthropic.com"
	Version = "2023-06-01"
)

// Client is a provider. Safe for concurrent use.
type Client struct {
	http   *http.Client
	base   string
	header []string
}

// New makes a client.
func New(client *http.Client, c ai.Config) *Client {
	base := strings.TrimRight(c.BaseURL, "/")
	if base == "" {
		base = BaseURL
	}
	return &Client{client, base, []string{"x-api-key", c.Key, "anthropic-version", Version}}
}

func (c *Client) do(ctx context.Context, method, path string, body any) (wire.Answer, error) {
	return wire.Do(ctx, c.http, wire.Call{Method: method, URL: c.base + path, Header: c.header, Body: body})
}

// Generate implements ai.Model.
func (c *Client) Generate(ctx context.Context, r ai.Request) (ai.Response, error) {
	a, err := c.do(ctx, http.MethodPost, "/v1/messages", request(&r))
	if err != nil {
		return ai.Response{}, err
	}
	return decode(&a, &r)
}

// Embed implements ai.Embedder: it refuses.
func (c *Client) Embed(context.Context, string, int, []string, bool) (ai.Vectors, error) {
	return ai.Vectors{}, &ai.Error{Fault: ai.BadRequest, Detail: "this provider has no embeddings"}
}

type messagesRequest struct {
	Model         string        `json:"model"`
	MaxTokens     int           `json:"max_tokens"`
	System        []block       `json:"system,omitempty"`
	Messages      []message     `json:"messages"`
	Temperature   *float64      `json:"temperature,omitempty"`
	StopSequences []string      `json:"stop_sequences,omitempty"`
	Tools         []tool        `json:"tools,omitempty"`
	OutputConfig  *outputConfig `json:"output_config,omitempty"`
}

type outputConfig struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

type format struct {
	Type   string   `json:"type"`
	Schema *ai.Node `json:"schema"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is a part of a message, of whichever type.
type block struct {
	Type         string          `json:"type"`
	Text         string          `json:"text,omitempty"`
	ID           string          `json:"id,omitempty"`
	Name         string          `json:"name,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	ToolUseID    string          `json:"tool_use_id,omitempty"`
	Content      string          `json:"content,omitempty"`
	CacheControl *cacheControl   `json:"cache_control,omitempty"`
}

type cacheControl struct {
	Type string `json:"type"`
}

type tool struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	InputSchema *ai.Node `json:"input_schema"`
}

// effort is the provider's word: it has no minimal.
func effort(e ai.Effort) string {
	if e == ai.Minimal {
		return string(ai.Low)
	}
	return string(e)
}

func request(r *ai.Request) *messagesRequest {
	out := &messagesRequest{
		Model: r.Model, MaxTokens: max(r.MaxTokens, 1), Temperature: r.Temperature, StopSequences: r.Stop,
	}
	if system := r.SystemText(); system != "" {
		out.System = []block{{Type: "text", Text: system, CacheControl: &cacheControl{"ephemeral"}}}
	}
	if r.Effort != "" {
		out.OutputConfig = &outputConfig{Effort: effort(r.Effort)}
	}
	if r.Schema != nil && r.Format <= ai.FormatSchemaAndPrompt {
		if out.OutputConfig == nil {
			out.OutputConfig = &outputConfig{}
		}
		out.OutputConfig.Format = &format{"json_schema", r.Schema.Root}
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		out.Tools = append(out.Tools, tool{t.Name, t.Description, t.Parameters})
	}
	for _, m := range ai.Merged(r.Messages) {
		next := messageOf(&m)
		if last := len(out.Messages) - 1; last >= 0 && out.Messages[last].Role == next.Role {
			out.Messages[last].Content = append(out.Messages[last].Content, next.Content...)
			continue
		}
		out.Messages = append(out.Messages, next)
	}
	return out
}

// messageOf writes a message; the result of a tool is one of the user.
func messageOf(m *ai.Message) message {
	if m.Role == ai.ToolResult {
		return message{"user", []block{{Type: "tool_result", ToolUseID: m.CallID, Content: m.Text}}}
	}
	out := message{Role: string(m.Role)}
	if m.Text != "" {
		out.Content = append(out.Content, block{Type: "text", Text: m.Text})
	}
	for _, call := range m.Calls {
		out.Content = append(out.Content, block{Type: "tool_use", ID: call.ID, Name: call.Name, Input: call.Arguments})
	}
	return out
}

type messagesAnswer struct {
	ID         string          `json:"id"`
	Type       string          `json:"type"`
	Model      string          `json:"model"`
	Content    []answered      `json:"content"`
	StopReason string          `json:"stop_reason"`
	Usage      *usage          `json:"usage"`
	Error      json.RawMessage `json:"error"`
}

// answered is a block of an answer; blocks of thinking are passed over.
type answered struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type usage struct {
	InputTokens         int64 `json:"input_tokens"`
	CacheReadTokens     int64 `json:"cache_read_input_tokens"`
	CacheCreationTokens int64 `json:"cache_creation_input_tokens"`
	OutputTokens        int64 `json:"output_tokens"`
	OutputDetails       *struct {
		ThinkingTokens int64 `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// tokens are as the provider counts: its input is without what was cached and written.
func (u *usage) tokens() (out ai.Usage) {
	if u == nil {
		return out
	}
	out = ai.Usage{Input: ai.TokenCount(u.InputTokens), CachedInput: ai.TokenCount(u.CacheReadTokens), CacheWrite: ai.TokenCount(u.CacheCreationTokens), Output: ai.TokenCount(u.OutputTokens)}
	if u.OutputDetails != nil {
		out.Reasoning = min(ai.TokenCount(u.OutputDetails.ThinkingTokens), out.Output)
	}
	return out
}

// fail judges an error of this provider.
func fail(a *wire.Answer) *ai.Error {
	s := wire.ReadError(a.Body)
	if s.Code == "" {
		s.Code = s.Type
	}
	e := a.Fail(s)
	if a.Status == http.StatusRequestEntityTooLarge {
		e.Fault = ai.TooLong
	}
	return e
}

// decode judges an answer and reads it.
func decode(a *wire.Answer, asked *ai.Request) (out ai.Response, err error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return out, fail(a)
	}
	var got messagesAnswer
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return out, a.Error(ai.BadOutput, "not_json")
	}
	if got.Type == "error" || got.Content == nil && len(got.Error) > 0 {
		late := *a
		late.Status = http.StatusBadGateway
		return out, fail(&late)
	}
	out.Model, out.RequestID, out.Usage, out.Stop = got.Model, a.RequestID, got.Usage.tokens(), ai.StopEnd
	if out.RequestID == "" {
		out.RequestID = ai.Clean(got.ID)
	}
	stopped := func(fault ai.Fault, code string) error {
		e := a.Error(fault, code)
		e.Usage = out.Usage
		return e
	}
	switch got.StopReason {
	case "refusal":
		return out, stopped(ai.Refused, got.StopReason)
	case "model_context_window_exceeded":
		return out, stopped(ai.TooLong, got.StopReason)
	case "max_tokens":
		out.Stop = ai.StopLength
	}
	var text strings.Builder
	for i := range got.Content {
		switch b := &got.Content[i]; b.Type {
		case "text":
			text.WriteString(b.Text)
		case "tool_use":
			out.Calls = append(out.Calls, ai.Call{ID: b.ID, Name: b.Name, Arguments: b.Input})
		}
	}
	out.Text = text.String()
	return out, out.Finish(asked)
}

// Models implements ai.Lister.
func (c *Client) Models(ctx context.Context) ([]ai.Listed, error) {
	a, err := c.do(ctx, http.MethodGet, "/v1/models?limit=1000", nil)
	if err != nil {
		return nil, err
	}
	return decodeModels(&a)
}

func decodeModels(a *wire.Answer) ([]ai.Listed, error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return nil, fail(a)
	}
	var got struct {
		Data []struct {
			ID        string `json:"id"`
			Name      string `json:"display_name"`
			MaxTokens int64  `json:"max_input_tokens"`
		} `json:"data"`
	}
	if json.Unmarshal(a.Body, &got) != nil {
		return nil, a.Error(ai.BadOutput, "not_json")
	}
	out := make([]ai.Listed, 0, min(len(got.Data), ai.MaxModels))
	for _, m := range got.Data {
		out = ai.AppendListed(out, ai.Listed{ID: m.ID, Label: m.Name, ContextTokens: m.MaxTokens})
	}
	return out, nil
}
