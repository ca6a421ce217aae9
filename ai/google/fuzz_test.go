package google

import (
	"errors"
	"strings"
	"testing"

	"svc/ai"
	"svc/ai/wire"
)

// FuzzDecode: whatever a provider answers, the result is an answer that fits or an error
// of ours that repeats none of it.
func FuzzDecode(f *testing.F) {
	for _, body := range seeds {
		f.Add(200, []byte(body))
		f.Add(429, []byte(body))
		f.Add(500, []byte(body))
	}
	asked := ai.Request{Schema: &ai.Schema{Name: "x", Root: ai.Obj(ai.F("a", ai.String, ""), ai.ListOf("b", ai.Integer, ""))}}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		a := wire.Answer{Status: status, Body: body}
		res, err := decode(&a, &asked)
		judge(t, err)
		if err == nil && len(res.Calls) == 0 && asked.Schema.Check(res.JSON) != nil {
			t.Errorf("an answer that does not fit: %s", res.JSON)
		}
		if u := res.Usage; u.Input < 0 || u.CachedInput < 0 || u.CacheWrite < 0 || u.Output < 0 || u.Reasoning > u.Output ||
			u.Prompt() > 3*ai.MostTokens || u.Output > 2*ai.MostTokens {
			t.Errorf("usage %+v", u)
		}
		list, err := decodeModels(&a)
		judge(t, err)
		if len(list) > ai.MaxModels {
			t.Errorf("%d models", len(list))
		}
		_, err = decodeVectors(&a, []string{"a", "b"})
		judge(t, err)
	})
}

func judge(t *testing.T, err error) {
	t.Helper()
	var e *ai.Error
	switch {
	case err == nil:
	case !errors.As(err, &e):
		t.Errorf("not ours: %v", err)
	case e.Fault.Sentence() == "":
		t.Errorf("an unknown fault: %v", e)
	case len(e.Error()) > 400 || strings.ContainsAny(e.Error(), "\n<>"):
		t.Errorf("it repeats what was answered: %v", e)
	}
}
