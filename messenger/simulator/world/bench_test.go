package world

import (
	"testing"

	"svc/messenger/simulator/world/record"
)

// BenchmarkSend is what a message costs beside the wire: rules, state, journal and log.
func BenchmarkSend(b *testing.B) {
	w := open(b, Options{Dir: b.TempDir()})
	k := signIn(b, w, alice)
	w.AddPeople(record.Range{Prefix: "u", From: 1, To: 1_000_000, FirstID: 5000})
	a, err := w.AccountOf(k.ID)
	ok(b, err)
	o := Outgoing{Items: []Item{{Text: "Assalomu alaykum! Bugun sizga maxsus chegirma bor, batafsil ma'lumot uchun yozing."}}}
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		n++
		o.Peer = Peer{ID: 5000 + n%1_000_000}
		o.Peer.Hash = w.hash(a, o.Peer.ID)
		o.Items[0].RandomID = n
		if _, _, err := w.Send(k.ID, o); err != nil {
			b.Fatal(err)
		}
		w.Events()
		ok(b, w.Commit())
	}
}
