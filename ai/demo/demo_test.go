package demo_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"svc/ai"
	"svc/ai/demo"
)

func ask(t *testing.T, question map[string]any, schema *ai.Schema) ai.Response {
	t.Helper()
	b, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	res, err := demo.New().Generate(t.Context(), ai.Request{Model: demo.Name, MaxTokens: 2000, Schema: schema, Messages: []ai.Message{{Role: ai.User, Text: string(b)}}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestCompose: every task keeps the variables and the length, in three languages, the same
// each time (contract 12.7).
func TestCompose(t *testing.T) {
	form := &ai.Schema{Name: "text", Root: ai.Obj(ai.F("text", ai.String, ""), ai.ListOf("variants", ai.String, ""))}
	for _, task := range []string{"WRITE", "IMPROVE", "SHORTEN", "TRANSLATE", "VARIANTS"} {
		for _, language := range []string{"uz", "ru", "en"} {
			q := map[string]any{
				"task": task, "language": language, "variants": 3, "max_length": 160,
				"brief": "skidka 20% for {{first_name|do'stim}} until Friday", "text": "hello  {{first_name|do'stim}}. the sale ends. come soon! bye",
			}
			res := ask(t, q, form)
			var got struct {
				Text     string
				Variants []string
			}
			if err := json.Unmarshal(res.JSON, &got); err != nil {
				t.Fatal(err)
			}
			for _, text := range append(got.Variants, got.Text) {
				if !strings.Contains(text, "{{first_name|do'stim}}") || utf8.RuneCountInString(text) > 160 {
					t.Errorf("%s %s: %q", task, language, text)
				}
			}
			if task == "VARIANTS" && len(got.Variants) != 3 {
				t.Errorf("%d variants", len(got.Variants))
			}
			if again := ask(t, q, form); again.Text != res.Text {
				t.Errorf("%s %s: another answer", task, language)
			}
		}
	}
	if res := ask(t, map[string]any{"probe": "nonce", "nonce": "k7"}, &ai.Schema{Name: "n", Root: ai.Obj(ai.F("nonce", ai.String, ""))}); string(res.JSON) != `{"nonce":"k7"}` {
		t.Errorf("probe: %s", res.JSON)
	}
}

// TestVariablesOfBoth: the variables of the brief and of the text come back with every task,
// however little room there is.
func TestVariablesOfBoth(t *testing.T) {
	for _, task := range []string{"WRITE", "IMPROVE", "SHORTEN", "TRANSLATE", "VARIANTS"} {
		res := ask(t, map[string]any{
			"task": task, "language": "en", "variants": 2, "max_length": 10,
			"brief": "20 percent off for {{ city }}", "text": "Hello {{first_name}}! Come in. {{a}{{b.c}} {",
		}, nil)
		for _, v := range []string{"{{ city }}", "{{first_name}}", "{{b.c}}"} {
			if strings.Count(res.Text, v) != 1 {
				t.Errorf("%s: %q has no %s, or more than one", task, res.Text, v)
			}
		}
	}
}

// TestEmbeddings: texts that are written in another way lie near each other.
func TestEmbeddings(t *testing.T) {
	v, err := demo.New().Embed(t.Context(), demo.Name, 0, []string{"Yetkazib berish bor", "yetkazib  BERISH bormi", "qancha turadi"}, false)
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	if same, other := near(v.Values[0], v.Values[1]), near(v.Values[0], v.Values[2]); same < 0.7 || other > 0.4 || math.IsNaN(same) {
		t.Errorf("near %f, far %f", same, other)
	}
}
