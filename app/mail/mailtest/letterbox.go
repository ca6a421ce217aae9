// Package mailtest is a mail server for tests: it takes every mail and keeps it.
package mailtest

import (
	"context"
	"sync"

	"svc/app/mail"
)

// Letterbox keeps the mails that were sent. The zero Letterbox is empty and ready; it may
// be used by several goroutines.
type Letterbox struct {
	mu  sync.Mutex
	got []mail.Letter
}

// Send implements mail.Sender. It never fails.
func (b *Letterbox) Send(_ context.Context, l mail.Letter) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, l)
	return nil
}

// Take empties the letterbox and returns what was in it, in the order in which it came.
func (b *Letterbox) Take() []mail.Letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	got := b.got
	b.got = nil
	return got
}
