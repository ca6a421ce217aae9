package openai

import (
	"context"
	"encoding/json"
	"net/http"

	"svc/ai"
	"svc/ai/wire"
)

type embedRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// Embed implements ai.Embedder.
func (c *Client) Embed(ctx context.Context, model string, dims int, texts []string, _ bool) (ai.Vectors, error) {
	if len(texts) == 0 || len(texts) > ai.MaxTexts {
		return ai.Vectors{}, &ai.Error{Fault: ai.BadRequest, Detail: "1 to 256 texts at a time"}
	}
	a, err := c.do(ctx, http.MethodPost, "/embeddings", embedRequest{model, texts, dims})
	if err != nil {
		return ai.Vectors{}, err
	}
	return decodeVectors(&a, texts)
}

func decodeVectors(a *wire.Answer, texts []string) (out ai.Vectors, err error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return out, a.Fail(wire.ReadError(a.Body))
	}
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
		Usage *usage `json:"usage"`
	}
	if json.Unmarshal(a.Body, &got) != nil {
		return out, a.Error(ai.BadOutput, "not_json")
	}
	out.Values, out.RequestID, out.Usage = make([][]float32, len(texts)), a.RequestID, got.Usage.tokens()
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= len(texts) || out.Values[d.Index] != nil {
			return ai.Vectors{}, a.Error(ai.BadOutput, "index")
		}
		out.Values[d.Index] = d.Embedding
	}
	if err := out.Finish(texts); err != nil {
		return ai.Vectors{}, a.Error(ai.BadOutput, "vectors")
	}
	return out, nil
}

// Models implements ai.Lister.
func (c *Client) Models(ctx context.Context) ([]ai.Listed, error) {
	a, err := c.do(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, err
	}
	return decodeModels(&a)
}

func decodeModels(a *wire.Answer) ([]ai.Listed, error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return nil, a.Fail(wire.ReadError(a.Body))
	}
	var got struct {
		Data []struct {
			ID            string `json:"id"`
			Name          string `json:"name"`
			ContextLength int64  `json:"context_length"` // of OpenRouter
			MaxModelLen   int64  `json:"max_model_len"`  // of vLLM
		} `json:"data"`
	}
	if json.Unmarshal(a.Body, &got) != nil {
		return nil, a.Error(ai.BadOutput, "not_json")
	}
	out := make([]ai.Listed, 0, min(len(got.Data), ai.MaxModels))
	for _, m := range got.Data {
		out = ai.AppendListed(out, ai.Listed{ID: m.ID, Label: m.Name, ContextTokens: max(m.ContextLength, m.MaxModelLen)})
	}
	return out, nil
}
