package simulator

import (
	"strings"

	"svc/ai"
)

// openAIWire is that of OpenAI and of compatible servers: those take no fields that only
// OpenAI knows.
type openAIWire struct{}

func (openAIWire) kind() ai.Kind { return ai.OpenAI }

type openAIRequest struct {
	Model               string          `json:"model"`
	Messages            []openAIMessage `json:"messages"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	ReasoningEffort     string          `json:"reasoning_effort"`
	Temperature         *float64        `json:"temperature"`
	Stop                []string        `json:"stop"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema *struct {
			Name   string         `json:"name"`
			Strict bool           `json:"strict"`
			Schema map[string]any `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string         `json:"name"`
			Description string         `json:"description"`
			Parameters  map[string]any `json:"parameters"`
			Strict      bool           `json:"strict"`
		} `json:"function"`
	} `json:"tools"`
	Store          *bool  `json:"store"`
	PromptCacheKey string `json:"prompt_cache_key"`
	Provider       *struct {
		RequireParameters bool `json:"require_parameters"`
	} `json:"provider"`
}

type openAIMessage struct {
	Role       string           `json:"role"`
	Content    *string          `json:"content"`
	ToolCalls  []map[string]any `json:"tool_calls"`
	ToolCallID string           `json:"tool_call_id"`
}

func (w openAIWire) read(x *exchange) (*question, *refusal) {
	key := strings.TrimPrefix(x.r.Header.Get("Authorization"), "Bearer ")
	no := keyed(key)
	switch {
	case strings.HasSuffix(x.r.URL.Path, "/models"):
		return &question{path: "models"}, no
	case strings.HasSuffix(x.r.URL.Path, "/embeddings"):
		return w.readEmbeddings(x, no)
	case !strings.HasSuffix(x.r.URL.Path, "/chat/completions"):
		return &question{}, &refusal{404, "not_found", "Unknown request URL"}
	}
	var in openAIRequest
	if bad := decode(x.body, &in); bad != nil {
		return nil, bad
	}
	q := &question{model: in.Model, path: "generate", stop: in.Stop}
	if no == nil {
		no = w.check(&in, q, strings.HasSuffix(x.r.URL.Host, "api.openai.com"))
	}
	return q, no
}

func (w openAIWire) check(in *openAIRequest, q *question, own bool) *refusal {
	for _, m := range in.Messages {
		switch m.Role {
		case "system", "user", "assistant":
		case "tool":
			if m.ToolCallID == "" {
				return wrong("messages: a tool message needs tool_call_id")
			}
		default:
			return wrong("messages: unknown role")
		}
		if m.Content != nil {
			q.text += *m.Content + "\n"
			q.last = *m.Content
		}
	}
	for _, t := range in.Tools {
		q.tools = append(q.tools, t.Function.Name)
	}
	if last := len(in.Messages) - 1; last >= 0 && in.Messages[last].Role == "tool" {
		q.tools = nil // it has what it asked for
	}
	switch {
	case in.Model == "" || len(in.Messages) == 0:
		return wrong("you must provide a model and messages")
	case own && in.MaxTokens != nil:
		return &refusal{400, "unsupported_parameter", "max_tokens is not supported with this model; use max_completion_tokens"}
	case !own && (in.Store != nil || in.MaxCompletionTokens != nil || in.PromptCacheKey != ""):
		return wrong("extra fields are not permitted")
	case own && in.Provider != nil:
		return wrong("provider: unknown field")
	}
	if m := in.MaxCompletionTokens; m != nil {
		q.maxTokens = *m
	} else if in.MaxTokens != nil {
		q.maxTokens = *in.MaxTokens
	}
	if f := in.ResponseFormat; f != nil {
		q.json = f.Type == "json_object"
		if f.Type == "json_schema" {
			if f.JSONSchema == nil || f.JSONSchema.Name == "" {
				return wrong("response_format.json_schema.name is required")
			}
			q.schema = f.JSONSchema.Schema
			return subset(q.schema, f.JSONSchema.Name)
		}
	}
	return nil
}

func (w openAIWire) readEmbeddings(x *exchange, no *refusal) (*question, *refusal) {
	var in struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions"`
	}
	if bad := decode(x.body, &in); bad != nil {
		return nil, bad
	}
	return &question{model: in.Model, path: "embed", texts: in.Input, dims: in.Dimensions}, no
}

func (w openAIWire) good(q *question, r reply) []byte {
	switch q.path {
	case "models":
		return mustJSON(map[string]any{"object": "list", "data": listed("gpt-6-luna", "gpt-6-sol", "text-embedding-3-small", "qwen4:8b")})
	case "embed":
		var data []map[string]any
		for i, v := range vectors(q.texts, q.dims) {
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
		}
		return mustJSON(map[string]any{"data": data, "usage": map[string]any{"prompt_tokens": 5 * len(q.texts)}})
	}
	message, finish := map[string]any{"role": "assistant", "content": r.text}, "stop"
	switch {
	case r.refuse:
		message["content"], message["refusal"] = nil, "I cannot help with that."
	case r.reasoning:
		message["content"], message["reasoning_content"] = nil, "Thinking. "+r.text
	case len(r.calls) > 0:
		finish = "tool_calls"
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"id": "call_1", "type": "function", "function": map[string]any{"name": r.calls[0], "arguments": r.arguments},
		}}
	case r.truncated:
		finish = "length"
	}
	out := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "model": q.model,
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": message}},
	}
	if !r.noUsage {
		in, output := tokensOf(q, &r)
		out["usage"] = map[string]any{
			"prompt_tokens": in + r.cached, "completion_tokens": output,
			"prompt_tokens_details":     map[string]any{"cached_tokens": r.cached},
			"completion_tokens_details": map[string]any{"reasoning_tokens": output / 2},
		}
	}
	return mustJSON(out)
}

func (openAIWire) bad(f refusal) []byte {
	code, message := any(f.code), f.text
	kind := "invalid_request_error"
	switch f.code {
	case "":
		code = nil
	case "too-long":
		code = "context_length_exceeded"
	case "policy":
		code = "content_policy_violation"
	case "format":
		code = nil
	}
	if f.status >= 500 {
		kind = "server_error"
	}
	return mustJSON(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}})
}

func (openAIWire) quota() refusal {
	return refusal{429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."}
}
