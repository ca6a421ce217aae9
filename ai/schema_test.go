package ai

import (
	"encoding/json"
	"testing"
)

// FuzzFinish: whatever a model writes, it is an answer that fits the form which was asked for, or
// a fault; what fits has every field and no other.
func FuzzFinish(f *testing.F) {
	form := &Schema{Name: "x", Root: Obj(
		F("text", String, ""), ListOf("many", Integer, ""), OneOf("mood", "GOOD", "BAD"), F("sure", Number, ""), F("on", Boolean, ""),
		Field{"deep", &Node{Type: Object, Nullable: true, Fields: []Field{F("a", String, "")}}},
	)}
	for _, text := range []string{
		`{"text":"a","many":[1,2],"mood":"GOOD","sure":0.5,"on":true,"deep":null}`, "Of course:\n```json\n" + `{"text":"}{\"","many":[],"mood":"BAD","sure":1,"on":false,"deep":{"a":"b"}}` + "\n```",
		`{"text":1}`, `{"a":{"a":{"a":{"a":{}}}}}`, `{`, `}{`, `"{}"`, `null`, `{"text":"a","text":2}`, `{"many":[1e400]}`, ``, "\xff{}",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r := Response{Text: text}
		if cut {
			r.Stop = StopLength
		}
		err := r.Finish(&Request{Schema: form})
		if err != nil {
			if FaultOf(err) != BadOutput || r.JSON != nil {
				t.Errorf("%v with %s", err, r.JSON)
			}
			return
		}
		var got map[string]any
		if cut || json.Unmarshal(r.JSON, &got) != nil || len(got) != len(form.Root.Fields) || got["mood"] != "GOOD" && got["mood"] != "BAD" {
			t.Errorf("%q is read as %s: %+v", text, r.JSON, got)
		}
	})
}

// TestVisible: what nobody sees is taken out of what a model wrote; what joins a picture and what
// ends a line stays (section F, injection).
func TestVisible(t *testing.T) {
	for from, want := range map[string]string{
		"a\x00b\u202ec\u200bd\u2066e\ufefff":  "abcdef",
		"line\n\ttab 👨\u200d👩\u200d👧 ❤\ufe0f": "line\n\ttab 👨\u200d👩\u200d👧 ❤\ufe0f",
		"visible\U000e0041\U000e0042":         "visible",
		"soʻm ёҳ":                             "soʻm ёҳ",
	} {
		if got := Visible(from); got != want {
			t.Errorf("%q becomes %q, want %q", from, got, want)
		}
	}
}

// TestShorter: of what agents are asked the newer half of the conversation is left, with all else.
func TestShorter(t *testing.T) {
	for from, want := range map[string]string{
		`{"task":"REPLY","messages":[{"text":"1"},{"text":"2"},{"text":"3"}],"offers":[1,2]}`: `{"messages":[{"text":"2"},{"text":"3"}],"offers":[1,2],"task":"REPLY"}`,
		`{"task":"REPLY","messages":[{"text":"1"}]}`:                                          "",
		`{"task":"WRITE","brief":"one"}`:                                                      "",
		`words`:                                                                               "",
		`{"messages":"words"}`:                                                                "",
		`[1,2]`:                                                                               "",
	} {
		r := Request{System: "s", Messages: []Message{{Role: User, Text: from}}}
		out, ok := r.Shorter()
		if ok != (want != "") || ok && (len(out.Messages) != 1 || out.Messages[0].Text != want || out.Messages[0].Role != User || out.System != "s") || r.Messages[0].Text != from {
			t.Errorf("%s becomes %+v, %v", from, out.Messages, ok)
		}
	}
	r := Request{Messages: []Message{{Text: "1"}, {Text: "2"}, {Text: "3"}}}
	if out, ok := r.Shorter(); !ok || len(out.Messages) != 2 || out.Messages[0].Text != "2" {
		t.Errorf("%+v", out.Messages)
	}
	if _, ok := (&Request{}).Shorter(); ok {
		t.Error("nothing becomes shorter")
	}
}
