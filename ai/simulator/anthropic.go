package simulator

import (
	"encoding/json"
	"strings"

	"svc/ai"
)

// anthropicWire is that of Anthropic.
type anthropicWire struct{}

func (anthropicWire) kind() ai.Kind { return ai.Anthropic }

type anthropicRequest struct {
	Model         string             `json:"model"`
	MaxTokens     int                `json:"max_tokens"`
	System        []anthropicBlock   `json:"system"`
	Messages      []anthropicMessage `json:"messages"`
	Temperature   *float64           `json:"temperature"`
	StopSequences []string           `json:"stop_sequences"`
	Tools         []struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		InputSchema map[string]any `json:"input_schema"`
	} `json:"tools"`
	OutputConfig *struct {
		Effort string `json:"effort"`
		Format *struct {
			Type   string         `json:"type"`
			Schema map[string]any `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicBlock struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	Content      string          `json:"content"`
	CacheControl map[string]any  `json:"cache_control"`
}

func (w anthropicWire) read(x *exchange) (*question, *refusal) {
	no := keyed(x.r.Header.Get("x-api-key"))
	if no != nil {
		no.code, no.text = "authentication_error", "invalid x-api-key"
	} else if x.r.Header.Get("anthropic-version") == "" {
		no = wrong("anthropic-version: header is required")
	}
	if strings.HasSuffix(x.r.URL.Path, "/v1/models") {
		return &question{path: "models"}, no
	}
	var in anthropicRequest
	if bad := decode(x.body, &in); bad != nil {
		return nil, bad
	}
	q := &question{model: in.Model, path: "generate", maxTokens: in.MaxTokens, stop: in.StopSequences}
	if no == nil {
		no = w.check(&in, q)
	}
	return q, no
}

func (anthropicWire) check(in *anthropicRequest, q *question) *refusal {
	if in.Model == "" || in.MaxTokens <= 0 || len(in.Messages) == 0 {
		return wrong("model, max_tokens and messages are required")
	}
	for _, b := range in.System {
		q.text += b.Text + "\n"
	}
	for _, t := range in.Tools {
		q.tools = append(q.tools, t.Name)
	}
	for i, m := range in.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return wrong("messages: roles must alternate between user and assistant, beginning with user")
		}
		if len(m.Content) == 0 {
			return wrong("messages.%d: content is required", i)
		}
		for _, b := range m.Content {
			switch b.Type {
			case "text":
				q.text, q.last = q.text+b.Text+"\n", b.Text
			case "tool_result":
				q.tools, q.last = nil, b.Content
			case "tool_use":
			default:
				return wrong("messages.%d: unknown type of content", i)
			}
		}
	}
	if c := in.OutputConfig; c != nil && c.Format != nil {
		q.schema = c.Format.Schema
		if bad := subset(q.schema, "output_config"); bad != nil {
			return bad
		}
	}
	return nil
}

func (w anthropicWire) good(q *question, r reply) []byte {
	if q.path == "models" {
		return mustJSON(map[string]any{"data": listed("claude-haiku-5-5", "claude-sonnet-5-5"), "has_more": false})
	}
	content := []any{
		map[string]any{"type": "thinking", "thinking": "", "signature": "s"},
		map[string]any{"type": "text", "text": r.text},
	}
	stop := "end_turn"
	switch {
	case r.refuse:
		content, stop = []any{}, "refusal"
	case r.reasoning:
		content = []any{map[string]any{"type": "thinking", "thinking": r.text, "signature": "s"}}
	case len(r.calls) > 0:
		content = []any{map[string]any{"type": "tool_use", "id": "toolu_1", "name": r.calls[0], "input": json.RawMessage(r.arguments)}}
		stop = "tool_use"
	case r.truncated:
		stop = "max_tokens"
	}
	out := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": q.model, "content": content, "stop_reason": stop}
	if !r.noUsage {
		in, output := tokensOf(q, &r)
		out["usage"] = map[string]any{
			"input_tokens": in, "cache_read_input_tokens": r.cached, "cache_creation_input_tokens": 0, "output_tokens": output,
			"output_tokens_details": map[string]any{"thinking_tokens": output / 2},
		}
	}
	return mustJSON(out)
}

func (anthropicWire) bad(f refusal) []byte {
	kind := f.code
	switch {
	case f.status == 429:
		kind = "rate_limit_error"
	case f.status == 529:
		kind = "overloaded_error"
	case f.status == 504:
		kind = "timeout_error"
	case f.status >= 500:
		kind = "api_error"
	case f.status == 404:
		kind = "not_found_error"
	case f.status == 403:
		kind = "permission_error"
	case kind != "authentication_error":
		kind = "invalid_request_error"
	}
	return mustJSON(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": f.text}, "request_id": "req_1"})
}

func (anthropicWire) quota() refusal {
	return refusal{400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."}
}
