package simulator

import (
	"encoding/json"
	"strings"

	"svc/ai"
)

// googleWire is that of Gemini.
type googleWire struct{}

func (googleWire) kind() ai.Kind { return ai.Google }

type googleRequest struct {
	SystemInstruction *googleContent  `json:"systemInstruction"`
	Contents          []googleContent `json:"contents"`
	Tools             []struct {
		FunctionDeclarations []struct {
			Name                 string         `json:"name"`
			Description          string         `json:"description"`
			ParametersJSONSchema map[string]any `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	GenerationConfig struct {
		MaxOutputTokens    int            `json:"maxOutputTokens"`
		Temperature        *float64       `json:"temperature"`
		StopSequences      []string       `json:"stopSequences"`
		ResponseMIMEType   string         `json:"responseMimeType"`
		ResponseJSONSchema map[string]any `json:"responseJsonSchema"`
		ThinkingConfig     *struct {
			ThinkingLevel string `json:"thinkingLevel"`
		} `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type googleContent struct {
	Role  string       `json:"role"`
	Parts []googlePart `json:"parts"`
}

type googlePart struct {
	Text             string          `json:"text"`
	FunctionCall     json.RawMessage `json:"functionCall"`
	FunctionResponse *struct {
		ID       string            `json:"id"`
		Name     string            `json:"name"`
		Response map[string]string `json:"response"`
	} `json:"functionResponse"`
}

func (w googleWire) read(x *exchange) (*question, *refusal) {
	no := keyed(x.r.Header.Get("x-goog-api-key"))
	if no != nil { // this vendor says it with 400
		no = &refusal{400, "API_KEY_INVALID", "API key not valid. Please pass a valid API key."}
	}
	if x.r.URL.Query().Has("key") {
		no = wrong("the key belongs into the header")
	}
	if strings.HasSuffix(x.r.URL.Path, "/models") {
		return &question{path: "models"}, no
	}
	_, rest, _ := strings.Cut(x.r.URL.Path, "/models/")
	model, method, _ := strings.Cut(rest, ":")
	switch method {
	case "generateContent":
	case "batchEmbedContents":
		return w.readEmbeddings(x, model, no)
	default:
		return &question{}, &refusal{404, "NOT_FOUND", "no such method"}
	}
	var in googleRequest
	if bad := decode(x.body, &in); bad != nil {
		return nil, bad
	}
	q := &question{model: model, path: "generate", maxTokens: in.GenerationConfig.MaxOutputTokens, stop: in.GenerationConfig.StopSequences}
	if no == nil {
		no = w.check(&in, q)
	}
	return q, no
}

func (googleWire) check(in *googleRequest, q *question) *refusal {
	if s := in.SystemInstruction; s != nil {
		for _, p := range s.Parts {
			q.text += p.Text + "\n"
		}
	}
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			q.tools = append(q.tools, f.Name)
		}
	}
	if len(in.Contents) == 0 {
		return wrong("contents is not specified")
	}
	for _, c := range in.Contents {
		if c.Role != "user" && c.Role != "model" {
			return wrong("please use a valid role: user, model")
		}
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				q.tools = nil
			}
			q.text, q.last = q.text+p.Text+"\n", p.Text
		}
	}
	g := &in.GenerationConfig
	if g.ResponseJSONSchema != nil {
		if g.ResponseMIMEType != "application/json" {
			return wrong("responseJsonSchema needs responseMimeType application/json")
		}
		q.schema = g.ResponseJSONSchema
		return subset(q.schema, "responseJsonSchema")
	}
	q.json = g.ResponseMIMEType == "application/json"
	return nil
}

func (googleWire) readEmbeddings(x *exchange, model string, no *refusal) (*question, *refusal) {
	var in struct {
		Requests []struct {
			Model                string        `json:"model"`
			Content              googleContent `json:"content"`
			TaskType             string        `json:"taskType"`
			OutputDimensionality int           `json:"outputDimensionality"`
		} `json:"requests"`
	}
	if bad := decode(x.body, &in); bad != nil {
		return nil, bad
	}
	q := &question{model: model, path: "embed"}
	for _, r := range in.Requests {
		text := ""
		for _, p := range r.Content.Parts {
			text += p.Text
		}
		q.texts = append(q.texts, text)
		q.dims = r.OutputDimensionality
		if r.TaskType != "RETRIEVAL_QUERY" && r.TaskType != "RETRIEVAL_DOCUMENT" {
			no = wrong("taskType is unknown")
		}
	}
	return q, no
}

func (w googleWire) good(q *question, r reply) []byte {
	switch q.path {
	case "models":
		var list []map[string]any
		for _, n := range []string{"gemini-3.8-flash", "gemini-3.1-flash-lite", "gemini-embedding-001"} {
			list = append(list, map[string]any{"name": "models/" + n, "displayName": n, "inputTokenLimit": 1048576})
		}
		return mustJSON(map[string]any{"models": list})
	case "embed":
		var list []map[string]any
		for _, v := range vectors(q.texts, q.dims) {
			list = append(list, map[string]any{"values": v})
		}
		return mustJSON(map[string]any{"embeddings": list})
	}
	parts := []any{map[string]any{"text": "thinking", "thought": true}, map[string]any{"text": r.text}}
	finish := "STOP"
	switch {
	case r.refuse:
		parts, finish = []any{}, "SAFETY"
	case r.reasoning:
		parts = []any{map[string]any{"text": r.text, "thought": true}}
	case len(r.calls) > 0:
		parts = []any{map[string]any{"functionCall": map[string]any{"name": r.calls[0], "args": json.RawMessage(r.arguments)}}}
	case r.truncated:
		finish = "MAX_TOKENS"
	}
	out := map[string]any{
		"responseId": "resp1", "modelVersion": q.model,
		"candidates": []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": finish, "index": 0}},
	}
	if !r.noUsage {
		in, output := tokensOf(q, &r)
		out["usageMetadata"] = map[string]any{
			"promptTokenCount": in + r.cached, "cachedContentTokenCount": r.cached,
			"candidatesTokenCount": output - output/2, "thoughtsTokenCount": output / 2,
		}
	}
	return mustJSON(out)
}

// statuses are Google's own names.
var statuses = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL",
	503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

func (googleWire) bad(f refusal) []byte {
	e := map[string]any{"code": f.status, "message": f.text, "status": statuses[f.status]}
	var details []any
	switch {
	case f.code == "API_KEY_INVALID":
		details = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}}
	case f.status == 429:
		period := "PerMinute"
		if f.code == "quota" {
			period = "PerDay"
		}
		e["message"] = "You exceeded your current quota, please check your plan and billing details."
		details = []any{
			map[string]any{
				"@type":      "type.googleapis.com/google.rpc.QuotaFailure",
				"violations": []any{map[string]any{"quotaId": "GenerateRequests" + period + "PerProjectPerModel"}},
			},
			map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26s"},
		}
	}
	if details != nil {
		e["details"] = details
	}
	return mustJSON(map[string]any{"error": e})
}

func (googleWire) quota() refusal { return refusal{429, "quota", "quota"} }
