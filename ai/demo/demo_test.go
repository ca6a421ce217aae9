package demo_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"svc/ai"
	"svc/ai/decide"
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

// TestSummary: a summary is a sentence in the language that is asked for, of what the customer
// wrote, short enough to be kept (60 words, 1,200 bytes).
func TestSummary(t *testing.T) {
	form := &ai.Schema{Name: "summary", Root: ai.Obj(ai.F("summary", ai.String, "at most 60 words"))}
	message := func(author, text string) map[string]string { return map[string]string{"author": author, "text": text} }
	talk := []map[string]string{
		message("CUSTOMER", "Salom, toʻyga gul kerak."), message("AI", "Qancha?"), message("CUSTOMER", "101 ta oq atirgul"), message("USER", "Yaxshi"),
	}
	for language, want := range map[string]string{
		"uz": "Mijoz suhbatni shunday boshladi: «Salom, toʻyga gul kerak». Oxirgi xabari: «101 ta oq atirgul».",
		"ru": "Клиент начал разговор так: «Salom, toʻyga gul kerak». Последнее сообщение: «101 ta oq atirgul».",
		"en": "The customer began with: “Salom, toʻyga gul kerak”. The last message: “101 ta oq atirgul”.",
		"":   "Mijoz suhbatni shunday boshladi: «Salom, toʻyga gul kerak». Oxirgi xabari: «101 ta oq atirgul».",
	} {
		var got struct{ Summary string }
		res := ask(t, map[string]any{"task": "SUMMARY", "language": language, "messages": talk}, form)
		if err := json.Unmarshal(res.JSON, &got); err != nil || got.Summary != want {
			t.Errorf("%q: %q, %v, want %q", language, got.Summary, err, want)
		}
	}
	var got struct{ Summary string }
	long := ask(t, map[string]any{"task": "SUMMARY", "messages": []any{message("CUSTOMER", strings.Repeat("gul 100%% ", 400)), message("CUSTOMER", strings.Repeat("atirgul ", 400))}}, form)
	if err := json.Unmarshal(long.JSON, &got); err != nil || len(got.Summary) > 1200 || len(strings.Fields(got.Summary)) > 60 {
		t.Errorf("%d bytes, %d words, %v", len(got.Summary), len(strings.Fields(got.Summary)), err)
	}
	unspaced := []any{message("CUSTOMER", strings.Repeat("ў", 4096)), message("CUSTOMER", strings.Repeat("qani", 1024))}
	for _, task := range []string{"SUMMARY", "ANALYSE"} {
		res := ask(t, map[string]any{"task": task, "messages": unspaced}, form)
		if err := json.Unmarshal(res.JSON, &got); err != nil || got.Summary == "" || len(got.Summary) > 1200 || !utf8.ValidString(got.Summary) {
			t.Errorf("%s of a text without spaces: %d bytes, %v", task, len(got.Summary), err)
		}
	}
	silent := ask(t, map[string]any{"task": "SUMMARY", "language": "en", "messages": []any{message("AI", "Hello!")}}, form)
	if err := json.Unmarshal(silent.JSON, &got); err != nil || got.Summary != "The customer has not written any text yet." {
		t.Errorf("%q, %v", got.Summary, err)
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

// TestReplies: each question of a burst is answered, and what is asked of goods that nobody
// offers is passed on and not answered with the price of others.
func TestReplies(t *testing.T) {
	form := &ai.Schema{Name: "reply", Root: ai.Obj(
		ai.F("reply", ai.String, ""), ai.F("language", ai.String, ""), ai.F("action", ai.String, ""), ai.ListOf("used_offer_ids", ai.String, ""),
		ai.ListOf("used_chunk_ids", ai.String, ""), ai.F("proposed_stage", ai.String, ""), ai.F("asks_question", ai.Boolean, ""),
		ai.Field{Name: "handoff", Node: ai.Obj(ai.F("needed", ai.Boolean, ""), ai.F("trigger", ai.String, ""), ai.F("reason", ai.String, ""))},
		ai.ListOf("facts", ai.String, ""), ai.F("no_reply", ai.Boolean, ""),
	)}
	offers := []any{
		map[string]any{"id": "o1", "name": "Lola guldastasi", "price": 350000, "currency": "UZS", "availability": "AVAILABLE", "delivery": "Toshkent bo‘ylab bepul"},
		map[string]any{"id": "o2", "name": "101 ta atirgul", "price": 1400000, "currency": "UZS", "availability": "OUT_OF_STOCK"},
	}
	knowledge := []any{
		map[string]any{"id": "k1", "text": "Pion buketi narxi 450 000 soʻm. Manzilimiz: Chilonzor 5."},
		map[string]any{"id": "k2", "text": "We work from 9 to 18 every day."},
	}
	for _, c := range []struct {
		language, scenario string
		said               []string
		want, without      []string
		handoff            bool
	}{
		{"uz-Latn", "PRICING", []string{"Lola guldastasi narxi qancha?"}, []string{"350 000"}, []string{"450 000", "1 400 000"}, false},
		{"uz-Latn", "PRICING", []string{"Velosiped narxi qancha?"}, nil, []string{"000"}, true},
		{"ru", "PRICING", []string{"сколько стоит велосипед"}, nil, []string{"000"}, true},
		{"en", "AVAILABILITY", []string{"do you have bicycles in stock?"}, nil, []string{"000"}, true},
		{"uz-Latn", "PRICING", []string{"Pion buketi qancha"}, []string{"450 000"}, []string{"350 000"}, false},
		{"uz-Latn", "PRICING", []string{"Lola guldastasi qancha?", "101 ta atirgul bormi?"}, []string{"350 000", "yoʻq"}, nil, false},
		{"uz-Latn", "PRICING", []string{"Lola guldastasi qancha?", "101 ta atirgulchi?"}, []string{"350 000", "1 400 000"}, nil, false},
		{"uz-Latn", "AVAILABILITY", []string{"Lola guldastasi bormi? narxi qancha?"}, []string{"mavjud", "350 000"}, nil, false},
		{"uz-Latn", "PRICING", []string{"Salom", "101 ta atirgul", "narxi", "qancha?"}, []string{"1 400 000"}, []string{"450 000"}, false},
		{"uz-Latn", "FAQ", []string{"manzilingiz qayerda?"}, []string{"Chilonzor"}, nil, false},
	} {
		var messages []any
		for _, s := range c.said {
			messages = append(messages, map[string]any{"from": "customer", "text": s})
		}
		res := ask(t, map[string]any{
			"task": "REPLY", "language": c.language, "scenario": c.scenario, "offers": offers, "knowledge": knowledge, "messages": messages, "answer_to": len(messages),
		}, form)
		var got struct {
			Reply   string
			Handoff struct{ Needed bool }
		}
		if err := json.Unmarshal(res.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if got.Handoff.Needed != c.handoff {
			t.Errorf("%q: %q", c.said, got.Reply)
		}
		for _, w := range c.want {
			if strings.Count(got.Reply, w) != 1 {
				t.Errorf("%q: %q lacks %q", c.said, got.Reply, w)
			}
		}
		for _, w := range c.without {
			if strings.Contains(got.Reply, w) {
				t.Errorf("%q: %q has %q", c.said, got.Reply, w)
			}
		}
	}
}

// TestDoubtfulStop: of words that may ask to stop the demo model is less sure than what stops a
// conversation, and sure enough that a person is asked (contract 13.12).
func TestDoubtfulStop(t *testing.T) {
	sure := func(text string) (string, float64) {
		res := ask(t, map[string]any{"task": "DECIDE", "messages": []map[string]any{{"from": "customer", "text": text}}, "answer_to": 1}, decide.Schema([]decide.Field{decide.Stop}, nil, ""))
		var got map[string]struct {
			Value      string
			Confidence float64
		}
		if err := json.Unmarshal(res.JSON, &got); err != nil {
			t.Fatal(err)
		}
		return got["stop"].Value, got["stop"].Confidence
	}
	for _, text := range []string{"хватит уже", "хватит уже, правда"} {
		if value, c := sure(text); value != "yes" || c >= 0.85 || c < 0.5 {
			t.Errorf("%s: %s with %v", text, value, c)
		}
	}
	if value, c := sure("Narxi qancha?"); value != "no" || c < 0.6 {
		t.Errorf("a question: %s with %v", value, c)
	}
}

// TestTimeAfterOffer: a time that answers our offer of times is a booking without another word,
// and a number that answers nothing of the kind is none.
func TestTimeAfterOffer(t *testing.T) {
	for _, c := range []struct{ ours, said, booking string }{
		{"Свободное время: 29.11.2026 09:00, 09:30, 10:00. Какое вам удобно?", "30 ноября в 13:30", "yes"},
		{"Boʻsh vaqtlar: 29.11.2026 09:00, 09:30, 10:00. Qaysi biri qulay?", "9:30", "yes"},
		{"Which time suits you?", "10:00 on 30 November", "yes"},
		{"Свободное время: 29.11.2026 09:00, 09:30, 10:00. Какое вам удобно?", "спасибо", "no"},
		{"«101 ta atirgul» narxi 1 400 000 soʻm.", "5", "no"},
	} {
		messages := []map[string]any{{"from": "customer", "text": "?"}, {"from": "seller", "text": c.ours}, {"from": "customer", "text": c.said}}
		res := ask(t, map[string]any{"task": "DECIDE", "messages": messages, "answer_to": 1}, decide.Schema([]decide.Field{decide.Booking}, nil, ""))
		var got map[string]struct{ Value string }
		if err := json.Unmarshal(res.JSON, &got); err != nil || got["booking"].Value != c.booking {
			t.Errorf("%q after %q: %v, %v, want %s", c.said, c.ours, got, err, c.booking)
		}
	}
}
