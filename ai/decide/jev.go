package decide

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// JEV asks an outside service for decisions (contract 13.16). Safe for concurrent use.
type JEV struct {
	// HTTP reaches it; it follows no redirect.
	HTTP *http.Client
	// BaseURL is without a slash at its end; Key is sent as a bearer key.
	BaseURL, Key string
}

// JEVMessage is one message of a conversation, masked.
type JEVMessage struct {
	Author string    `json:"author"` // CUSTOMER, AI, HUMAN
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
}

// JEVOffer names an offer.
type JEVOffer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// JEVRequest is what the service is asked.
type JEVRequest struct {
	RequestID string       `json:"request_id"`
	Language  string       `json:"language_hint,omitempty"`
	Messages  []JEVMessage `json:"messages"`
	Stage     string       `json:"stage"`
	Stages    []string     `json:"stages"`
	Offers    []JEVOffer   `json:"offers"`
	Scenarios []string     `json:"scenarios"`

	// Task is Analyse for an analysis of the whole conversation, "" for a decision about its
	// last messages. Dimensions are what an analysis classifies by (contract 15.4).
	Task       string         `json:"task,omitempty"`
	Dimensions []JEVDimension `json:"dimensions,omitempty"`
}

// Analyse is the task of an analysis.
const Analyse = "analyse"

// JEVDimension is a dimension with the keys of its cases.
type JEVDimension struct {
	Key   string   `json:"key"`
	Cases []string `json:"cases"`
}

// JEVAnswer is what it says.
type JEVAnswer struct {
	RequestID    string
	ModelVersion string
	Fields       map[Field]Answer
}

// The bounds of an answer.
const (
	maxJEVAnswer  = 64 << 10
	maxJEVVersion = 100
)

// ErrJEV is a failure of the service. Its text has no address, no key and no words of a
// conversation.
var ErrJEV = errors.New("the decision service did not answer as agreed")

// Ask makes one request. Errors wrap ErrJEV, or are of the context.
func (j *JEV) Ask(ctx context.Context, q *JEVRequest) (out JEVAnswer, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return out, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, j.BaseURL+"/v1/decide", bytes.NewReader(body))
	if err != nil {
		return out, fmt.Errorf("%w: the address is none", ErrJEV)
	}
	req.Header.Set("Content-Type", "application/json")
	if j.Key != "" {
		req.Header.Set("Authorization", "Bearer "+j.Key)
	}
	res, err := j.HTTP.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		return out, fmt.Errorf("%w: it was not reached", ErrJEV)
	}
	defer func() { _ = res.Body.Close() }() // all that is wanted was read
	if res.StatusCode != http.StatusOK {
		return out, fmt.Errorf("%w: status %d", ErrJEV, res.StatusCode)
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, maxJEVAnswer+1))
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		return out, fmt.Errorf("%w: the answer broke off", ErrJEV)
	case len(b) > maxJEVAnswer:
		return out, fmt.Errorf("%w: the answer is too long", ErrJEV)
	}
	return readJEV(b, q)
}

// readJEV reads an answer. What has another type than agreed is no field; numbers are values
// of an analysis alone.
func readJEV(b []byte, q *JEVRequest) (out JEVAnswer, err error) {
	var got struct {
		RequestID    string                     `json:"request_id"`
		ModelVersion string                     `json:"model_version"`
		Fields       map[string]json.RawMessage `json:"fields"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		return out, fmt.Errorf("%w: the answer is no JSON of its form", ErrJEV)
	}
	if got.RequestID != q.RequestID {
		return out, fmt.Errorf("%w: the answer is to another request", ErrJEV)
	}
	version := strings.ToValidUTF8(got.ModelVersion[:min(len(got.ModelVersion), maxJEVVersion)], "") // no half of a character
	out = JEVAnswer{RequestID: q.RequestID, ModelVersion: version, Fields: map[Field]Answer{}}
	for name, raw := range got.Fields {
		var f struct {
			Value       any     `json:"value"`
			Probability float64 `json:"probability"`
		}
		if json.Unmarshal(raw, &f) != nil || f.Probability < 0 || f.Probability > 1 {
			continue
		}
		switch v := f.Value.(type) {
		case string:
			out.Fields[Field(name)] = Answer{Value: strings.TrimSpace(v), Confidence: f.Probability}
		case bool:
			out.Fields[Field(name)] = Answer{Value: map[bool]string{true: Yes, false: No}[v], Confidence: f.Probability}
		case float64:
			if q.Task == Analyse {
				out.Fields[Field(name)] = Answer{Value: strconv.FormatFloat(v, 'f', -1, 64), Confidence: f.Probability}
			}
		}
	}
	return out, nil
}
