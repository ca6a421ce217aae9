package telegram

import (
	"testing"

	"github.com/gotd/td/tg"
)

// The numbers are those of the platform's algorithm, worked out elsewhere.
func TestBookHash(t *testing.T) {
	for _, x := range []struct {
		saved int
		ids   []int64
		want  int64
	}{
		{0, nil, 0},
		{1, []int64{4242}, 36507226259},
		{3, []int64{7_000_000_001, 42, 500}, 5027192677569122114},
		{2, []int64{42, 500, 7_000_000_001}, -8553447079783657727},
	} {
		all := &tg.ContactsContacts{SavedCount: x.saved}
		for _, id := range x.ids {
			all.Contacts = append(all.Contacts, tg.Contact{UserID: id})
		}
		if got := bookHash(all); got != x.want {
			t.Errorf("%d saved, %v: %d, want %d", x.saved, x.ids, got, x.want)
		}
	}
}
