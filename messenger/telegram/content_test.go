package telegram

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
)

// Reactions come as an update of their own too, and where the platform does not list who
// reacted, their counts say it.
func TestReactionsThatAreCounted(t *testing.T) {
	in := &letters{}
	f, _ := reader(&ledger{}, in)
	thumb, fire := &tg.ReactionEmoji{Emoticon: "👍"}, &tg.ReactionEmoji{Emoticon: "🔥"}
	mine := tg.ReactionCount{Reaction: thumb, Count: 2}
	mine.SetChosenOrder(0)
	u := &tg.UpdateMessageReactions{Peer: &tg.PeerUser{UserID: 1001}, MsgID: 7, Reactions: tg.MessageReactions{Results: []tg.ReactionCount{
		mine, {Reaction: fire, Count: 1}, {Reaction: &tg.ReactionCustomEmoji{DocumentID: 5}, Count: 1},
	}}}
	if kept := cursor.OfPeople([]tg.UpdateClass{u, &tg.UpdateMessageReactions{Peer: &tg.PeerChannel{ChannelID: 5}}}); len(kept) != 1 {
		t.Errorf("%d updates of two are kept", len(kept))
	}
	if err := f.one(context.Background(), u, nil); err != nil {
		t.Fatal(err)
	}
	want := []messenger.Reaction{{Emoji: "👍", Out: true}, {Emoji: "👍"}, {Emoji: "🔥"}}
	if !reflect.DeepEqual(in.reacted[7], want) {
		t.Errorf("%+v, want %+v", in.reacted[7], want)
	}
	for _, peer := range []tg.PeerClass{&tg.PeerUser{UserID: cursor.ServiceChat}, &tg.PeerUser{UserID: 700}, &tg.PeerChat{ChatID: 9}} {
		u.Peer, u.MsgID = peer, 8
		if err := f.one(context.Background(), u, nil); err != nil || in.reacted[8] != nil {
			t.Errorf("%T: %v, %+v", peer, err, in.reacted[8])
		}
	}
}

// What vanishes after it was seen is never fetched; what is hidden or odd is bounded.
func TestOddContent(t *testing.T) {
	photo := &tg.Photo{ID: 5, Sizes: []tg.PhotoSizeClass{
		&tg.PhotoSize{Type: "m", W: 320, H: 240, Size: 9}, &tg.PhotoSizeProgressive{Type: "y", W: 1280, H: 960, Sizes: []int{10, 5000}},
		&tg.PhotoStrippedSize{Type: "i"},
	}}
	media := &tg.MessageMediaPhoto{Photo: photo}
	if got := fileOf(media); got.Width != 1280 || got.Size != 5000 || !strings.Contains(string(got.Ref), `"type":"y"`) {
		t.Errorf("%+v", got)
	}
	media.SetTTLSeconds(30)
	if got := fileOf(media); got == nil || got.Ref != nil {
		t.Errorf("a photo that vanishes is %+v", got)
	}
	if got := fileOf(&tg.MessageMediaDocument{}); got == nil || got.Ref != nil {
		t.Errorf("a document that is not there is %+v", got)
	}
	got := fileOf(&tg.MessageMediaDocument{Document: &tg.Document{ID: 1, MimeType: "a/b", Attributes: []tg.DocumentAttributeClass{
		&tg.DocumentAttributeFilename{FileName: strings.Repeat("ў", 999) + "\xff"}, &tg.DocumentAttributeVideo{Duration: 1e12},
		&tg.DocumentAttributeSticker{Alt: "x", Stickerset: &tg.InputStickerSetEmpty{}}, &tg.DocumentAttributeAnimated{},
	}}})
	if got.Kind != "STICKER" || len([]rune(got.Name)) != maxFileName || got.Seconds != maxSeconds {
		t.Errorf("%+v", got)
	}
	if locationOf(&tg.GeoPointEmpty{}, "", "") != nil {
		t.Error("an empty point is a place")
	}
	m := &tg.Message{ID: 9, PeerID: &tg.PeerUser{UserID: 1}}
	h := &tg.MessageReplyHeader{}
	h.SetReplyToMsgID(77)
	h.SetReplyToPeerID(&tg.PeerChannel{ChannelID: 4})
	m.SetReplyTo(h)
	in, err := incoming(m, messenger.Peer{ID: 1}, nil, 700)
	if err != nil || in.ReplyTo != 0 {
		t.Errorf("a reply to a message of another chat is one to %d, %v", in.ReplyTo, err)
	}
}

// Groups, channels and chats with nobody are counted, and pages go on behind them.
func TestChatsThatAreLeftOut(t *testing.T) {
	user := func(id int64, f func(u *tg.User)) *tg.User {
		u := &tg.User{ID: id}
		u.SetAccessHash(id * 10)
		if f != nil {
			f(u)
		}
		return u
	}
	ch := &tg.Channel{ID: 40, AccessHash: 400}
	list := &tg.MessagesDialogsSlice{
		Users: []tg.UserClass{
			user(1, nil), user(2, func(u *tg.User) { u.Bot = true }), user(3, func(u *tg.User) { u.Deleted = true }),
			user(700, nil), user(cursor.ServiceChat, nil), user(6, nil),
		},
		Chats: []tg.ChatClass{&tg.Chat{ID: 30}, ch},
	}
	peers := []tg.PeerClass{
		&tg.PeerUser{UserID: 6}, &tg.PeerUser{UserID: 1}, &tg.PeerUser{UserID: 2}, &tg.PeerUser{UserID: 3}, &tg.PeerUser{UserID: 700},
		&tg.PeerUser{UserID: cursor.ServiceChat}, &tg.PeerUser{UserID: 5}, &tg.PeerChat{ChatID: 30}, &tg.PeerChannel{ChannelID: 40},
	}
	for i, p := range peers {
		list.Dialogs = append(list.Dialogs, &tg.Dialog{Peer: p, TopMessage: 100 + i, Pinned: i == 0})
		list.Messages = append(list.Messages, &tg.Message{ID: 100 + i, PeerID: p, Date: 5000 - i})
	}
	c := &conn{self: 700}
	page, last := c.dialogs(list)
	if len(page.Dialogs) != 2 || page.Dialogs[1].Peer.AccessHash != 10 || page.Bots != 1 || page.Groups != 2 || page.Service != 4 {
		t.Errorf("%+v", page)
	}
	if want := (dialogPlace{Date: 4992, Top: 108, Kind: "channel", ID: 40, Hash: 400}); last != want {
		t.Errorf("the next page begins at %+v, want %+v", last, want)
	}
	for kind, want := range map[string]tg.InputPeerClass{
		"user": &tg.InputPeerUser{UserID: 1, AccessHash: 2}, "group": &tg.InputPeerChat{ChatID: 1},
		"channel": &tg.InputPeerChannel{ChannelID: 1, AccessHash: 2}, "": &tg.InputPeerEmpty{},
	} {
		if got := (dialogPlace{Kind: kind, ID: 1, Hash: 2}).peer(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
