package execution_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"svc/ai/providers"
	"svc/app/api/apitest"
	"svc/app/engine"
	"svc/app/engine/agent"
	"svc/store"
)

// server is a compatible server of one make, as far as a test of it asks. Fields that the
// real one does not know are ignored by it, so they are here.
type server struct {
	// schema: it answers in the form of json_schema; object: json_object makes it answer
	// JSON when the prompt has a schema. rejects is the response_format that it answers 400.
	schema, object bool
	rejects        string
	tools          bool
	embeds         bool
	// reasoning: JSON lands in reasoning_content, and content is null.
	reasoning bool
	keys      map[string]bool // the keys of requests, for what must not be sent
}

type chat struct {
	Messages []struct{ Role, Content string }
	Tools    []json.RawMessage
	Format   struct{ Type string } `json:"response_format"`
}

// RoundTrip implements http.RoundTripper.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := s.answer(r)
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

func (s *server) answer(r *http.Request) (status int, body string) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		return 200, `{"object":"list","data":[{"id":"qwen4:8b"}]}`
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return 400, `{"error":"no body"}`
	}
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		if !s.embeds {
			return 501, `{"error":{"code":501,"message":"This server does not support embeddings","type":"not_supported_error"}}`
		}
		return 200, `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,1]}],"usage":{"prompt_tokens":4}}`
	}
	var keys map[string]json.RawMessage
	var in chat
	if json.Unmarshal(raw, &keys) != nil || json.Unmarshal(raw, &in) != nil {
		return 400, `{"error":"not JSON"}`
	}
	for k := range keys {
		s.keys[k] = true
	}
	if in.Format.Type != "" && in.Format.Type == s.rejects {
		return 400, `{"error":{"message":"'response_format.type' must be 'json_schema' or 'text'","type":"invalid_request_error"}}`
	}
	return 200, s.says(&in)
}

// says is a completion: the nonce of the question where the server can give it in the form
// that was asked for, else prose.
func (s *server) says(in *chat) string {
	all := ""
	for _, m := range in.Messages {
		all += m.Content + "\n"
	}
	_, nonce, _ := strings.Cut(all, `"nonce":"`)
	nonce, _, found := strings.Cut(nonce, `"`)
	inPrompt := strings.Contains(all, `"properties"`)
	message := map[string]any{"role": "assistant", "content": "Sure! The nonce is " + nonce}
	field := "content"
	if s.reasoning {
		field, message["content"] = "reasoning_content", nil
	}
	asJSON := in.Format.Type == "json_schema" && s.schema || in.Format.Type == "json_object" && s.object && inPrompt
	switch {
	case len(in.Tools) > 0 && s.tools:
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"id": "call_1", "type": "function", "function": map[string]any{"name": "lookup", "arguments": `{"nonce":"` + nonce + `"}`},
		}}
	case asJSON && found:
		message[field] = `{"nonce":"` + nonce + `"}`
	case asJSON:
		message[field] = `{"text":"Hello","variants":[]}`
	default:
		message["content"] = "OK"
	}
	b, _ := json.Marshal(map[string]any{
		"model": "qwen4:8b", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}},
		"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 5},
	})
	return string(b)
}

// TestServers: the shapes of servers that people run themselves pass the test of a provider,
// which finds what each can do, and an execution asks in the form that works (section H 49).
func TestServers(t *testing.T) {
	for name, tt := range map[string]struct {
		server
		want map[string]any
	}{
		"ollama": {server{schema: true, object: true, tools: true, embeds: true}, map[string]any{"json_schema": true, "tools": true, "embedding": true}},
		"ollama cloud, which takes a schema and does not enforce it": {
			server{object: true, tools: true}, map[string]any{"json_schema": false, "json_object": true, "tools": true, "embedding": false}},
		"vllm with a parser of reasoning":      {server{schema: true, tools: true, reasoning: true}, map[string]any{"json_schema": true, "tools": true}},
		"llama.cpp without jinja and vectors":  {server{schema: true, object: true}, map[string]any{"json_schema": true, "tools": false, "embedding": false}},
		"lm studio, which rejects json_object": {server{schema: true, rejects: "json_object"}, map[string]any{"json_schema": true, "json_object": true}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.keys = map[string]bool{}
			w := newWorld(t, store.Options{})
			w.s = engine.New(w.db, engine.Options{Providers: providers.Over(&tt.server)})
			org := w.Org
			w.Server = apitest.New(t, w.db, w.s)
			w.Org = org
			id := w.Do("POST /ai/providers", map[string]any{"kind": "OPENAI_COMPATIBLE", "name": "Ours", "base_url": "https://models.example.com/v1"}).Want(201).String("id")
			got := w.Do("POST /ai/providers/"+id+"/test", map[string]any{"model": "qwen4:8b"}).Want(200)
			if got.At("ok") != true {
				t.Fatalf("%s", got.Body)
			}
			for what, can := range tt.want {
				if got.At("supports."+what) != can {
					t.Errorf("%s: %v, want %v", what, got.At("supports."+what), can)
				}
			}
			free := map[string]any{"input_per_million_usd": 0, "output_per_million_usd": 0}
			w.Do("POST /ai/models", map[string]any{"provider_kind": "OPENAI_COMPATIBLE", "model": "qwen4:8b", "price": free}).Want(201)
			q := question(agent.Composer)
			q.Request.Schema = form
			job := w.job()
			job.Question = q
			if res, err := w.run(job); err != nil || !strings.Contains(string(res.JSON), "Hello") {
				t.Errorf("%s %v", res.JSON, err)
			}
			for _, k := range []string{"max_completion_tokens", "store", "stream_options", "prompt_cache_key", "reasoning_effort"} {
				if tt.keys[k] {
					t.Errorf("%s was sent, which such servers do not know", k)
				}
			}
		})
	}
}
