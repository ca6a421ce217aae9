package telegram

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gotd/td/tg"
)

func TestOwnMessagesAreKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o sentEcho
		o.note(&tg.UpdateShortSentMessage{ID: 1})
		o.note(&tg.Updates{Updates: []tg.UpdateClass{
			&tg.UpdateMessageID{ID: 2, RandomID: 9},
			&tg.UpdateNewMessage{Message: &tg.Message{ID: 3, PeerID: &tg.PeerUser{UserID: 5}}},
		}})
		for id := 1; id <= 3; id++ {
			if !o.sent(id, 5, "") {
				t.Errorf("message %d is not known", id)
			}
		}
		if o.sent(4, 5, "") {
			t.Error("a message of the owner is taken for an own one")
		}

		settled := o.begin(5, "salom")
		if o.sent(4, 6, "salom") || o.sent(4, 5, "other") {
			t.Error("another chat or text was taken for the open one")
		}
		if !o.sent(4, 5, "salom") || o.sent(5, 5, "salom") {
			t.Error("an open message is known once")
		}
		settled() // after it came: nothing happens

		settled = o.begin(5, "salom")
		settled()
		if o.sent(6, 5, "salom") {
			t.Error("a settled message is still open")
		}

		o.begin(5, "old")
		<-time.After(openFor + time.Second)
		if o.sent(7, 5, "old") {
			t.Error("a lost message is open for ever")
		}
	})
}

func TestOwnMessagesAreBounded(t *testing.T) {
	var o sentEcho
	for id := range 10 * ownIDs {
		o.note(&tg.UpdateShortSentMessage{ID: id})
		o.begin(1, "x")
	}
	if len(o.ids) != ownIDs || len(o.open) != ownOpen {
		t.Errorf("%d ids, %d open messages", len(o.ids), len(o.open))
	}
	if !o.sent(10*ownIDs-1, 1, "y") || o.sent(0, 1, "y") {
		t.Error("not the latest are kept")
	}
}
