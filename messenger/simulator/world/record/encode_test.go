package record

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What is written by hand is read as it was, whatever the text.
func TestEncode(t *testing.T) {
	for _, text := range []string{"", "salom", "o‘zbekcha \U0001F600", "two\nlines", `a "quote" \ back`, "\x00\x1f\x7f\u2028", "<b>&amp;</b>", "\xff broken"} {
		r := &Record{K: KindMessage, Account: 7, Pts: 2, Tries: 3, N: 4, Message: &Message{
			ID: 1, Peer: -2, Out: true, At: 3, Text: text, Entities: []byte{1, 2, 255}, File: 4, ReplyTo: 5, Group: 6, EditedAt: 7, RandomID: -8,
		}}
		same(t, r, func(dst []byte) []byte {
			b, err := r.Encode(dst)
			noError(t, err)
			return b
		})
		s := &Sent{
			N: 1, At: time.Unix(5, 6).UTC(), Account: "+1", Peer: 2, RandomID: -3, MessageID: 4, Text: text, File: "f", Photo: true, Group: 5, ReplyTo: 6,
		}
		same(t, s, s.Encode)
	}
	bare := &Record{K: KindMessage, Message: &Message{}}
	same(t, bare, func(dst []byte) []byte {
		b, err := bare.Encode(dst)
		noError(t, err)
		return b
	})
	same(t, &Sent{}, (&Sent{}).Encode)
}

// same compares what is read from a line with what is read from the library's.
func same[T any](t *testing.T, v *T, encode func([]byte) []byte) {
	t.Helper()
	library, err := json.Marshal(v)
	noError(t, err)
	var want, got T
	noError(t, json.Unmarshal(library, &want))
	line := encode([]byte("before"))
	if err := json.Unmarshal(line[len("before"):], &got); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s:\n%s", line, d)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
