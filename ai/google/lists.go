package google

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"svc/ai"
	"svc/ai/wire"
)

type embedRequests struct {
	Requests []embedRequest `json:"requests"`
}

type embedRequest struct {
	Model                string  `json:"model"`
	Content              content `json:"content"`
	TaskType             string  `json:"taskType"`
	OutputDimensionality int     `json:"outputDimensionality,omitempty"`
}

// maxBatch is how many texts one call of this provider takes.
const maxBatch = 100

// Embed implements ai.Embedder, for at most 100 texts.
func (c *Client) Embed(ctx context.Context, model string, dims int, texts []string, query bool) (ai.Vectors, error) {
	if len(texts) == 0 || len(texts) > maxBatch {
		return ai.Vectors{}, &ai.Error{Fault: ai.BadRequest, Detail: "1 to 100 texts at a time"}
	}
	task := "RETRIEVAL_DOCUMENT"
	if query {
		task = "RETRIEVAL_QUERY"
	}
	body := embedRequests{make([]embedRequest, len(texts))}
	for i, t := range texts {
		body.Requests[i] = embedRequest{"models/" + strings.TrimPrefix(model, "models/"), content{Parts: []part{{Text: t}}}, task, dims}
	}
	a, err := c.do(ctx, http.MethodPost, modelPath(model, "batchEmbedContents"), body)
	if err != nil {
		return ai.Vectors{}, err
	}
	return decodeVectors(&a, texts)
}

func decodeVectors(a *wire.Answer, texts []string) (out ai.Vectors, err error) {
	if a.Status < 200 || a.Status > 299 || a.Page() {
		return out, fail(a)
	}
	var got struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
		UsageMetadata *usage `json:"usageMetadata"`
	}
	if json.Unmarshal(a.Body, &got) != nil {
		return out, a.Error(ai.BadOutput, "not_json")
	}
	out.RequestID, out.Usage = a.RequestID, got.UsageMetadata.tokens()
	for _, e := range got.Embeddings {
		out.Values = append(out.Values, e.Values)
	}
	if err := out.Finish(texts); err != nil {
		return ai.Vectors{}, a.Error(ai.BadOutput, "vectors")
	}
	return out, nil
}

// Models implements ai.Lister.
func (c *Client) Models(ctx context.Context) ([]ai.Listed, error) {
	a, err := c.do(ctx, http.MethodGet, "/models?pageSize=1000", nil)
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
		Models []struct {
			Name            string `json:"name"`
			DisplayName     string `json:"displayName"`
			InputTokenLimit int64  `json:"inputTokenLimit"`
		} `json:"models"`
	}
	if json.Unmarshal(a.Body, &got) != nil {
		return nil, a.Error(ai.BadOutput, "not_json")
	}
	out := make([]ai.Listed, 0, min(len(got.Models), ai.MaxModels))
	for _, m := range got.Models {
		out = ai.AppendListed(out, ai.Listed{ID: strings.TrimPrefix(m.Name, "models/"), Label: m.DisplayName, ContextTokens: m.InputTokenLimit})
	}
	return out, nil
}
