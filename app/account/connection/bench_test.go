package connection

import (
	"context"
	"slices"
	"testing"

	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/user"
	"svc/messenger"
	"svc/store/queue"
	"svc/store/storetest"
)

// BenchmarkReceived is one message of a recipient from the driver to the disk.
func BenchmarkReceived(b *testing.B) {
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), recipient.Tables(), Tables())
	db := storetest.Open(b, tables...)
	organization, id := db.NewID("org"), db.NewID("acc")
	p := New(db, Options{Accounts: &accounts{list: map[string]*account{id: {org: organization}}}})
	l := listener{stateStore{p, organization, id}}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		m := messenger.Incoming{ID: n, Peer: messenger.Peer{ID: int64(n%500 + 1), AccessHash: 1}, At: db.Now(), Text: "How much is it?"}
		if err := l.Received(context.Background(), m); err != nil {
			b.Fatal(err)
		}
	}
}
