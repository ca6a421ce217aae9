// Package google speaks the interface of Gemini.
//
// It promises what package ai does, over plain HTTP. The key travels in a header, never in
// the address.
package google

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

// BaseURL is Google's own address.
const BaseURL = "https://generativelanguage.googleapis.com"

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
	return &Client{client, base, []string{"x-goog-api-key", c.Key}}
}

func (c *Client) do(ctx context.Context, method, path string, body any) (wire.Answer, error) {
	return wire.Do(ctx, c.http, wire.Call{Method: method, URL: c.base + "/v1beta" + path, Header: c.header, Body: body})
}

// modelPath is the path of a model's method. Names may come with or without models/.
func modelPath(model, method string) string {
	return "/models/" + url.PathEscape(strings.TrimPrefix(model, "models/")) + ":" + method
}

// Generate implements ai.Model.
func (c *Client) Generate(ctx context.Context, r ai.Request) (ai.Response, error) {
	a, err := c.do(ctx, http.MethodPost, modelPath(r.Model, "generateContent"), request(&r))
	if err != nil {
		return ai.Response{}, err
	}
	return decode(&a, &r)
}

type generateRequest struct {
	SystemInstruction *content         `json:"systemInstruction,omitempty"`
	Contents          []content        `json:"contents"`
	Tools             []tools          `json:"tools,omitempty"`
	GenerationConfig  generationConfig `json:"generationConfig"`
}

type generationConfig struct {
	MaxOutputTokens    int             `json:"maxOutputTokens,omitempty"`
	Temperature        *float64        `json:"temperature,omitempty"`
	StopSequences      []string        `json:"stopSequences,omitempty"`
	ResponseMIMEType   string          `json:"responseMimeType,omitempty"`
	ResponseJSONSchema *ai.Node        `json:"responseJsonSchema,omitempty"`
	ThinkingConfig     *thinkingConfig `json:"thinkingConfig,omitempty"`
}

type thinkingConfig struct {
	ThinkingLevel string `json:"thinkingLevel"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

type part struct {
	Text             string            `json:"text,omitempty"`
	FunctionCall     *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse *functionResponse `json:"functionResponse,omitempty"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

type tools struct {
	FunctionDeclarations []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name                 string   `json:"name"`
	Description          string   `json:"description,omitempty"`
	ParametersJSONSchema *ai.Node `json:"parametersJsonSchema"`
}

func request(r *ai.Request) *generateRequest {
	out := &generateRequest{GenerationConfig: generationConfig{MaxOutputTokens: r.MaxTokens, Temperature: r.Temperature, StopSequences: r.Stop}}
	if system := r.SystemText(); system != "" {
		out.SystemInstruction = &content{Parts: []part{{Text: system}}}
	}
	g := &out.GenerationConfig
	if r.Effort != "" {
		g.ThinkingConfig = &thinkingConfig{string(r.Effort)}
	}
	if r.Schema != nil && r.Format != ai.FormatText {
		g.ResponseMIMEType = "application/json"
		if r.Format != ai.FormatObject {
			g.ResponseJSONSchema = r.Schema.Root
		}
	}
	var declared []declaration
	for i := range r.Tools {
		t := &r.Tools[i]
		declared = append(declared, declaration{t.Name, t.Description, t.Parameters})
	}
	if declared != nil {
		out.Tools = []tools{{declared}}
	}
	for _, m := range ai.Merged(r.Messages) {
		next := contentOf(&m)
		if last := len(out.Contents) - 1; last >= 0 && out.Contents[last].Role == next.Role {
			out.Contents[last].Parts = append(out.Contents[last].Parts, next.Parts...)
			continue
		}
		out.Contents = append(out.Contents, next)
	}
	return out
}

func contentOf(m *ai.Message) content {
	switch m.Role {
	case ai.ToolResult:
		return content{"user", []part{{FunctionResponse: &functionResponse{m.CallID, m.Name, map[string]string{"result": m.Text}}}}}
	case ai.Assistant:
		out := content{Role: "model"}
		if m.Text != "" {
			out.Parts = append(out.Parts, part{Text: m.Text})
		}
		for _, call := range m.Calls {
			out.Parts = append(out.Parts, part{FunctionCall: &functionCall{call.ID, call.Name, call.Arguments}})
		}
		return out
	}
	return content{"user", []part{{Text: m.Text}}}
}

type generateAnswer struct {
	Candidates     []candidate     `json:"candidates"`
	PromptFeedback *feedback       `json:"promptFeedback"`
	UsageMetadata  *usage          `json:"usageMetadata"`
	ModelVersion   string          `json:"modelVersion"`
	ResponseID     string          `json:"responseId"`
	Error          json.RawMessage `json:"error"`
}

type feedback struct {
	BlockReason string `json:"blockReason"`
}

type candidate struct {
	Content struct {
		Parts []struct {
			Text         string        `json:"text"`
			Thought      bool          `json:"thought"`
			FunctionCall *functionCall `json:"functionCall"`
		} `json:"parts"`
	} `json:"content"`
	FinishReason string `json:"finishReason"`
}

type usage struct {
	PromptTokenCount        int64 `json:"promptTokenCount"`
	CachedContentTokenCount int64 `json:"cachedContentTokenCount"`
	CandidatesTokenCount    int64 `json:"candidatesTokenCount"`
	ThoughtsTokenCount      int64 `json:"thoughtsTokenCount"`
}

// tokens takes what was cached out of the prompt, and adds the thoughts to the output.
func (u *usage) tokens() (out ai.Usage) {
	if u == nil {
		return out
	}
	prompt, thoughts := ai.TokenCount(u.PromptTokenCount), ai.TokenCount(u.ThoughtsTokenCount)
	out.CachedInput = min(ai.TokenCount(u.CachedContentTokenCount), prompt)
	out.Input = prompt - out.CachedInput
	out.Output, out.Reasoning = ai.TokenCount(u.CandidatesTokenCount)+thoughts, thoughts
	return out
}

// refusals are the reasons of an end that refuse the content.
var refusals = map[string]bool{
	"SAFETY": true, "RECITATION": true, "BLOCKLIST": true, "PROHIBITED_CONTENT": true, "SPII": true, "LANGUAGE": false,
	"IMAGE_SAFETY": true, "IMAGE_PROHIBITED_CONTENT": true, "IMAGE_RECITATION": true,
}

// decode judges an answer and reads it.
func decode(a *wire.Answer, asked *ai.Request) (out ai.Response, err error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return out, fail(a)
	}
	var got generateAnswer
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return out, a.Error(ai.BadOutput, "not_json")
	}
	out.Model, out.RequestID, out.Usage, out.Stop = got.ModelVersion, a.RequestID, got.UsageMetadata.tokens(), ai.StopEnd
	if out.RequestID == "" {
		out.RequestID = ai.Clean(got.ResponseID)
	}
	stopped := func(fault ai.Fault, code string) error {
		e := a.Error(fault, code)
		e.Usage = out.Usage
		return e
	}
	switch {
	case len(got.Candidates) == 0 && got.PromptFeedback != nil && got.PromptFeedback.BlockReason != "":
		return out, stopped(ai.Refused, got.PromptFeedback.BlockReason)
	case len(got.Candidates) == 0 && len(got.Error) > 0:
		return out, failLate(a)
	case len(got.Candidates) == 0:
		return out, stopped(ai.BadOutput, "no_candidates")
	}
	first := &got.Candidates[0]
	if refusals[first.FinishReason] {
		return out, stopped(ai.Refused, first.FinishReason)
	}
	if first.FinishReason == "MAX_TOKENS" {
		out.Stop = ai.StopLength
	}
	var text strings.Builder
	for i := range first.Content.Parts {
		p := &first.Content.Parts[i]
		switch {
		case p.Thought:
		case p.FunctionCall != nil:
			args := p.FunctionCall.Args
			if len(args) == 0 {
				args = json.RawMessage("{}")
			}
			out.Calls = append(out.Calls, ai.Call{ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Arguments: args})
		default:
			text.WriteString(p.Text)
		}
	}
	out.Text = text.String()
	return out, out.Finish(asked)
}

// failLate judges an error that came with status 200.
func failLate(a *wire.Answer) error {
	late := *a
	late.Status = http.StatusBadGateway
	if n, err := strconv.Atoi(wire.ReadError(a.Body).Code); err == nil && n >= 400 && n < 600 {
		late.Status = n
	}
	return fail(&late)
}
