package memory

import (
	"testing"
)

// TestQuotes: a fact stands in the message that it names, word for word but for case and
// marks; what names others, or is a key of rules, is dropped (contract 13.3).
func TestQuotes(t *testing.T) {
	said := []line{{ID: "msg_1", Text: "Menga 2 xonali kvartira kerak, byudjetim 50 ming dollar"}, {ID: "msg_2", Text: "Oq rang yoqadi!"}}
	got := proven([]found{
		{Key: Need, Value: "2 xonali kvartira", Confidence: 0.9, Message: "msg_1", Quote: "2 xonali  kvartira kerak"},
		{Key: Budget, Value: "50 000 USD", Confidence: 3, Message: "msg_1", Quote: "byudjetim 50 ming dollar"},
		{Key: Preference, Value: "oq rang", Confidence: 0.8, Message: "msg_2", Quote: "«oq rang yoqadi»"},
		{Key: Preference, Value: "qora rang", Confidence: 0.8, Message: "msg_2", Quote: "qora rang yoqadi"},
		{Key: Need, Value: "boshqa", Confidence: 0.8, Message: "msg_2", Quote: "2 xonali kvartira kerak"},
		{Key: Need, Value: "yoʻq", Confidence: 0.8, Message: "msg_9", Quote: "oq"},
		{Key: Name, Value: "Oq", Confidence: 0.8, Message: "msg_2", Quote: "Oq rang"},
		{Key: Other, Value: "x", Confidence: 0.8, Message: "msg_2", Quote: "oq"},
		{Key: Other, Value: "+998 90 123 45 67 ga yozing", Confidence: 0.8, Message: "msg_2", Quote: "rang yoqadi"},
	}, said)
	want := []string{"2 xonali kvartira", "50 000 USD", "oq rang", "[PHONE] ga yozing"}
	if len(got) != len(want) {
		t.Fatalf("%d facts are proven, want %d: %+v", len(got), len(want), got)
	}
	for i, f := range got {
		if f.Value != want[i] {
			t.Errorf("%q, want %q", f.Value, want[i])
		}
	}
}

// TestBetween: only what the customer wrote behind the last summary is read.
func TestBetween(t *testing.T) {
	all := []line{{ID: "a", Author: "CUSTOMER"}, {ID: "b", Author: "AI"}, {ID: "c", Author: "CUSTOMER"}, {ID: "d", Author: "CUSTOMER"}}
	for _, x := range []struct {
		after, upTo string
		want        int
	}{{"", "d", 3}, {"a", "d", 2}, {"a", "c", 1}, {"d", "d", 0}} {
		if got := between(all, x.after, x.upTo); len(got) != x.want {
			t.Errorf("behind %q up to %q: %d, want %d", x.after, x.upTo, len(got), x.want)
		}
	}
}
