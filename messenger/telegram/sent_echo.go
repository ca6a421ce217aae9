package telegram

import (
	"slices"
	"sync"
	"time"

	"github.com/gotd/td/tg"
)

// Bounds of what a connection remembers of its own messages.
const (
	ownIDs  = 256
	ownOpen = 32
	openFor = 10 * time.Minute
)

// sentEcho tells the messages that this connection sent from those that the owner of the
// account wrote in the messenger's own app: both come back in the stream of updates.
type sentEcho struct {
	mu   sync.Mutex
	ids  []int    // of sent messages, the latest ownIDs
	open []unsaid // on their way, or with a lost answer
}

type unsaid struct {
	peer int64
	text string
	at   time.Time
}

// note takes the ids out of the answer to a send.
func (o *sentEcho) note(u tg.UpdatesClass) {
	var found []int
	list := func(us []tg.UpdateClass) {
		for _, u := range us {
			switch u := u.(type) {
			case *tg.UpdateMessageID:
				found = append(found, u.ID)
			case *tg.UpdateNewMessage:
				found = append(found, u.Message.GetID())
			}
		}
	}
	switch u := u.(type) {
	case *tg.UpdateShortSentMessage:
		found = append(found, u.ID)
	case *tg.Updates:
		list(u.Updates)
	case *tg.UpdatesCombined:
		list(u.Updates)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ids = append(o.ids, found...)
	if n := len(o.ids) - ownIDs; n > 0 {
		o.ids = slices.Delete(o.ids, 0, n)
	}
}

// begin notes a message before it is sent; settled forgets it once its id is known, or
// once it is known that it did not arrive.
func (o *sentEcho) begin(peer int64, text string) (settled func()) {
	u := unsaid{peer, text, time.Now()}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open = append(o.open, u)
	if n := len(o.open) - ownOpen; n > 0 {
		o.open = slices.Delete(o.open, 0, n)
	}
	return func() { o.take(u.peer, u.text) }
}

// take says whether such a message is open, and forgets it.
func (o *sentEcho) take(peer int64, text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	old := time.Now().Add(-openFor)
	o.open = slices.DeleteFunc(o.open, func(u unsaid) bool { return u.at.Before(old) })
	i := slices.IndexFunc(o.open, func(u unsaid) bool { return u.peer == peer && u.text == text })
	if i < 0 {
		return false
	}
	o.open = slices.Delete(o.open, i, i+1)
	return true
}

// sent says whether this connection sent the message.
func (o *sentEcho) sent(id int, peer int64, text string) bool {
	o.mu.Lock()
	known := slices.Contains(o.ids, id)
	o.mu.Unlock()
	return known || o.take(peer, text)
}
