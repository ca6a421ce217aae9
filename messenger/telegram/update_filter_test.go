package telegram

import (
	"reflect"
	"testing"

	"github.com/gotd/td/tg"

	"svc/messenger/telegram/cursor"
)

func note(id int, peer tg.PeerClass, pts int) *tg.UpdateNewMessage {
	return &tg.UpdateNewMessage{Message: &tg.Message{ID: id, PeerID: peer, Message: "x"}, Pts: pts, PtsCount: 1}
}

// Groups and channels lose their content; what has a number in the stream keeps it, or
// every message after it would look like a gap.
func TestOnlyPeopleAreWanted(t *testing.T) {
	person, group, channel := &tg.PeerUser{UserID: 1}, &tg.PeerChat{ChatID: 2}, &tg.PeerChannel{ChannelID: 3}
	users := []tg.UserClass{&tg.User{ID: 1, AccessHash: 11}}
	in := []tg.UpdateClass{
		note(1, person, 10),
		note(2, group, 11),
		&tg.UpdateNewChannelMessage{Message: &tg.Message{ID: 3, PeerID: channel}, Pts: 5, PtsCount: 1},
		&tg.UpdateChannelTooLong{ChannelID: 3},
		&tg.UpdateUserStatus{UserID: 1},
		&tg.UpdateUserTyping{UserID: 1},
		note(4, &tg.PeerUser{UserID: cursor.ServiceChat}, 12),
		&tg.UpdateEditMessage{Message: &tg.Message{ID: 2, PeerID: group}, Pts: 13, PtsCount: 1},
		&tg.UpdateReadHistoryOutbox{Peer: person, MaxID: 1, Pts: 14, PtsCount: 1},
		&tg.UpdatePtsChanged{},
	}
	want := []tg.UpdateClass{
		in[0],
		&tg.UpdateNewMessage{Message: &tg.MessageEmpty{ID: 2}, Pts: 11, PtsCount: 1},
		&tg.UpdateNewMessage{Message: &tg.MessageEmpty{ID: 4}, Pts: 12, PtsCount: 1},
		&tg.UpdateEditMessage{Message: &tg.MessageEmpty{ID: 2}, Pts: 13, PtsCount: 1},
		in[8], in[9],
	}
	chats := []tg.ChatClass{&tg.Channel{ID: 3}}
	for _, u := range []tg.UpdatesClass{
		&tg.Updates{Updates: in, Users: users, Chats: chats, Date: 7},
		&tg.UpdatesCombined{Updates: in, Users: users, Chats: chats, Date: 7},
	} {
		var got []tg.UpdateClass
		var who []tg.UserClass
		var where []tg.ChatClass
		switch u := cursor.Filter(u).(type) {
		case *tg.Updates:
			got, who, where = u.Updates, u.Users, u.Chats
		case *tg.UpdatesCombined:
			got, who, where = u.Updates, u.Users, u.Chats
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(who, users) || where != nil {
			t.Errorf("kept %v, %v, %v", got, who, where)
		}
	}
	if len(in) != 10 || in[1].(*tg.UpdateNewMessage).Message.(*tg.Message).Message != "x" {
		t.Error("the library's own updates were changed")
	}
}

func TestNothingWanted(t *testing.T) {
	noise := []tg.UpdateClass{&tg.UpdateUserStatus{UserID: 1}}
	for _, u := range []tg.UpdatesClass{
		&tg.Updates{Updates: noise}, &tg.UpdatesCombined{Updates: noise}, &tg.UpdateShort{Update: noise[0]},
	} {
		if got := cursor.Filter(u); got != nil {
			t.Errorf("%T: kept %v", u, got)
		}
	}
	// A batch that counts stays, even when it is empty.
	if cursor.Filter(&tg.Updates{Updates: noise, Seq: 4}) == nil {
		t.Error("a numbered batch is gone")
	}
	// Nobody's names are needed for the numbers of a group.
	u := cursor.Filter(&tg.Updates{Updates: []tg.UpdateClass{note(2, &tg.PeerChat{ChatID: 2}, 11)}, Users: []tg.UserClass{&tg.User{ID: 1}}})
	if got := u.(*tg.Updates); len(got.Updates) != 1 || got.Users != nil {
		t.Errorf("kept %+v", got)
	}
	short := cursor.Filter(&tg.UpdateShortChatMessage{ID: 5, Pts: 20, PtsCount: 1, Message: "x"})
	want := &tg.UpdateShort{Update: &tg.UpdateNewMessage{Message: &tg.MessageEmpty{ID: 5}, Pts: 20, PtsCount: 1}}
	if !reflect.DeepEqual(short, want) {
		t.Errorf("kept %+v", short)
	}
	if u := (&tg.UpdateShortSentMessage{ID: 1}); cursor.Filter(u) != u {
		t.Error("an own message is gone")
	}
}
