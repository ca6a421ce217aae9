package intake

import (
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/store"
	"svc/store/storetest"
)

// TestOnce: what is handed over again changes nothing; edits and deletions find their
// message; each is announced, without a word of it.
func TestOnce(t *testing.T) {
	h := newEnv(t)
	p := channel.Person{ID: "9", Username: "nine", FirstName: "Nine"}
	first := h.say(p, "one secret word")
	if got := h.arrive(first); !got.New {
		t.Error("it is not new")
	}
	if got := h.arrive(first); got.New {
		t.Error("it is new again")
	}
	k, said, _ := h.of(p)
	if k.Unread != 1 || !slices.Equal(said, []string{"one secret word"}) || !k.WaitingSince.Equal(first.At) || len(signals[Arrived](h)) != 1 {
		t.Errorf("%+v %q", k, said)
	}
	first.Text, first.EditedAt = "two", h.db.Now().Add(time.Second)
	h.edit(first)
	k, said, list := h.of(p)
	if !slices.Equal(said, []string{"two"}) || list[0].EditedAt.IsZero() || k.Unread != 1 {
		t.Errorf("edited: %+v %q", list[0], said)
	}
	h.update(func(tx *store.Tx) error { return h.in.Deleted(tx, h.at, []string{first.ID, "8"}) })
	if _, said, list = h.of(p); said[0] != "" || list[0].DeletedAt.IsZero() || !list[0].Content.IsZero() {
		t.Errorf("deleted: %+v %q", list[0], said)
	}
	h.edit(first)
	if _, said, _ = h.of(p); said[0] != "" {
		t.Error("an edit brings a deleted message back")
	}
	if n := len(h.events(event.ConversationMessage)); n != 1 {
		t.Errorf("%d events of the message", n)
	}
	if n := len(h.events(event.ConversationMessageUpdated)); n != 2 {
		t.Errorf("%d events of its changes", n)
	}
	for _, e := range append(h.events(event.ConversationMessage), h.events(event.ConversationMessageUpdated)...) {
		if e.Personal || contains(string(e.Data), "secret", "two", "Nine") {
			t.Errorf("%s", e.Data)
		}
	}
}

func contains(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// TestAlbum: the parts of an album are one message, whose files are asked for one by one.
func TestAlbum(t *testing.T) {
	h := newEnv(t)
	p := person(5)
	for i := range 3 {
		in := h.say(p, "")
		in.Album, in.File = "77", &channel.IncomingFile{Kind: channel.Photo, Name: "a.jpg", Size: int64(100 + i), Ref: []byte("ref")}
		if i == 1 {
			in.Text = "caption"
		}
		h.arrive(in)
		h.arrive(in) // handed over again
	}
	k, said, list := h.of(p)
	if len(list) != 1 || len(list[0].Files) != 3 || len(list[0].Parts) != 3 || list[0].Kind != conversation.Album || said[0] != "caption" {
		t.Fatalf("%+v %q", list, said)
	}
	if k.Unread != 1 || !k.HasFiles || len(signals[conversation.FileWanted](h)) != 3 {
		t.Errorf("%+v, %d files asked for", k, len(signals[conversation.FileWanted](h)))
	}
	h.update(func(tx *store.Tx) error { return h.in.Deleted(tx, h.at, []string{list[0].Parts[0].ID}) })
	if _, _, list = h.of(p); len(list[0].Files) != 2 || !list[0].DeletedAt.IsZero() {
		t.Errorf("%+v", list[0])
	}
}

// TestReads: the owner's own app and the customer's marks count; an answer typed in the app
// ends the waiting.
func TestReads(t *testing.T) {
	h := newEnv(t)
	p := person(6)
	a := h.say(p, "a")
	h.arrive(a)
	h.arrive(h.say(p, "b"))
	h.arrive(h.say(p, "c"))
	h.update(func(tx *store.Tx) error { return h.in.ReadHere(tx, h.at, p.ID, a.Seq) })
	if k, _, _ := h.of(p); k.Unread != 2 {
		t.Errorf("unread %d", k.Unread)
	}
	typed := h.say(p, "typed")
	typed.Out = true
	h.arrive(typed)
	k, _, list := h.of(p)
	if k.Unread != 0 || !k.WaitingSince.IsZero() || list[3].Author != conversation.OwnerPhone {
		t.Errorf("%+v", k)
	}
	h.update(func(tx *store.Tx) error { return h.in.ReadByPeer(tx, h.at, p.ID, typed.Seq) })
	if _, _, list = h.of(p); list[3].ReadAt.IsZero() || !list[0].ReadAt.IsZero() {
		t.Errorf("%+v", list)
	}
	h.update(func(tx *store.Tx) error { return h.in.Reacted(tx, h.at, typed.ID, []channel.Reaction{{Emoji: "👍"}}) })
	if _, _, list = h.of(p); len(list[3].Reactions) != 1 {
		t.Errorf("%+v", list[3])
	}
}

// TestImported: what comes from the history starts nothing, an existing message wins, and
// the first live message promotes the conversation once.
func TestImported(t *testing.T) {
	h := newEnv(t)
	p := person(7)
	old := h.say(p, "stop")
	old.Imported = true
	h.arrive(old)
	k, _, _ := h.of(p)
	if k.Unread != 0 || !k.WaitingSince.IsZero() || !k.Imported || k.AIState != conversation.Active || len(h.events(event.ConversationMessage)) != 0 {
		t.Errorf("%+v", k)
	}
	h.arrive(h.say(p, "salom"))
	h.arrive(h.say(p, "yana"))
	list := h.events(event.ConversationMessage)
	if len(list) != 2 || !contains(string(list[0].Data), `"promoted_from_history":true`) || contains(string(list[1].Data), `"promoted_from_history":true`) {
		t.Errorf("%+v", list)
	}
	live := h.say(p, "ikki marta")
	h.arrive(live)
	live.Imported, live.Text = true, "other"
	h.arrive(live)
	if k, said, _ := h.of(p); k.Unread != 3 || k.Imported || said[len(said)-1] != "ikki marta" {
		t.Errorf("%+v %q", k, said)
	}
}

// TestPersonal: somebody of the address book is kept apart, also in events.
func TestPersonal(t *testing.T) {
	h := newEnv(t)
	friend := channel.Person{ID: "8", FirstName: "Aka", Contact: true}
	h.arrive(h.say(friend, "qalesan"))
	k, _, _ := h.of(friend)
	if !k.Personal || k.PersonalSource != conversation.ByContact {
		t.Errorf("%+v", k)
	}
	for _, e := range h.events(event.ConversationMessage) {
		if !e.Personal {
			t.Errorf("%s is seen by everybody", e.Data)
		}
	}
}

// TestStopWords opt people out in three languages, in the transaction that stores the
// message; texts that hold more than the word do not.
func TestStopWords(t *testing.T) {
	h := newEnv(t)
	said := 0
	for text, want := range map[string]bool{
		"stop": true, " STOP! ": true, "To‘xta": true, "to'xta": true, "toʻxtating.": true, "тўхта": true, "Bekor  qil": true,
		"Стоп": true, "ОТПИСАТЬСЯ": true, "хватит!!!": true, "unsubscribe": true, "Opt out": true,
		"don't stop": false, "stop it please": false, "": false, "🙂": false, "salom": false, "stopp": false,
	} {
		said++
		who := person(5000 + said)
		r := h.recipient(`{"messenger_id":` + who.ID + `,"consent_status":"OPTED_IN"}`)
		h.arrive(h.say(who, text))
		a := h.Do("GET /recipients/"+r, nil).Want(200)
		if got := a.String("consent_status") == "OPTED_OUT"; got != want || a.At("suppressed") != want {
			t.Errorf("%q: %s", text, a.Body)
		}
		if k, _, _ := h.of(who); (k.AIState == conversation.Stopped) != want {
			t.Errorf("%q: the conversation is %s", text, k.AIState)
		}
	}
	if got := len(signals[recipient.OptedOut](h)); got != 12 || len(h.events(event.ConversationOptedOut)) != 12 || len(h.events(event.RecipientOptedOut)) != 12 {
		t.Errorf("%d opt-outs were told of", got)
	}
}

// TestOwnStopWords: words of the organization's own take the place of the usual ones; an
// edit counts, the owner's own words do not, and a stranger is suppressed all the same.
func TestOwnStopWords(t *testing.T) {
	h := newEnv(t)
	h.Do("PATCH /organization", `{"stop_keywords":{"uz":[],"ru":["прекратить"],"en":[]}}`).Want(200)
	r := h.recipient(`{"username":"by_name","consent_status":"OPTED_IN"}`)
	p := channel.Person{ID: "6001", Username: "By_Name"}
	word := h.say(p, "stop")
	h.arrive(word)
	own := h.say(p, "Прекратить")
	own.Out = true
	h.arrive(own)
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_IN" || a.At("last_replied_at") == nil ||
		a.String("known_to_accounts.0") != ourAccount || a.At("conversation_id") == nil {
		t.Errorf("%s", a.Body)
	}
	word.Text, word.EditedAt = "Прекратить", h.db.Now()
	h.edit(word)
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_OUT" {
		t.Errorf("a stop word of an edit: %s", a.Body)
	}
	h.arrive(h.say(person(6002), "прекратить"))
	storetest.View(t, h.db, func(tx *store.Tx) error {
		ok, err := suppression.Names(tx, h.Org, field.Who{MessengerID: 6002})
		if !ok {
			t.Error("a stranger's stop word was not heard")
		}
		return err
	})
	if n := h.audited("conversation.stopped"); n != 2 {
		t.Errorf("%d entries in the audit log", n)
	}
}

// audited counts the entries of an action.
func (h *env) audited(action string) int {
	h.t.Helper()
	page, err := audit.New(h.db).Page(h.Call(), h.Org, audit.Filter{Action: action}, api.PageIn{Limit: 100}, true)
	if err != nil {
		h.t.Fatal(err)
	}
	return page.Total
}

// TestReassignedName: whoever has a name now is not the recipient who had it.
func TestReassignedName(t *testing.T) {
	h := newEnv(t)
	r := h.recipient(`{"messenger_id":1,"username":"ali_karim","consent_status":"OPTED_IN"}`)
	h.arrive(h.say(channel.Person{ID: "2", Username: "ali_karim"}, "stop"))
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_IN" || a.At("suppressed") != false || a.At("last_replied_at") != nil {
		t.Errorf("%s", a.Body)
	}
	if k, _, _ := h.of(person(2)); k.RecipientID != "" {
		t.Errorf("recognised as %s", k.RecipientID)
	}
}

// TestSameNumberAgain: an account that was deleted and connected again goes on with its
// conversations (contract 22).
func TestSameNumberAgain(t *testing.T) {
	h := newEnv(t)
	p := person(3)
	h.arrive(h.say(p, "birinchi"))
	h.at.Account = "acc_00000000000000000000000002"
	h.arrive(h.say(p, "ikkinchi"))
	if k, said, _ := h.of(p); len(said) != 2 || k.AccountID != h.at.Account {
		t.Errorf("%+v %q", k, said)
	}
}

// TestMerged: a reply whose copy comes from the messenger before the answer to it is one message:
// the copy becomes part of the reply, and what is said of it later is said of the reply.
func TestMerged(t *testing.T) {
	h := newEnv(t)
	p := person(12)
	h.arrive(h.say(p, "Salom, bormi?"))
	var reply conversation.Message
	h.update(func(tx *store.Tx) error {
		k, err := conversation.Of(tx, h.Org, channel.OnMessenger, h.at.Owner, p.ID)
		if err != nil {
			return err
		}
		reply, err = conversation.Write(tx, h.Call(), &k, conversation.Written{Author: conversation.Human, Text: "Ha, bor"})
		return err
	})
	copied := h.say(p, "Ha, bor")
	copied.Out = true
	h.arrive(copied)
	_, _, list := h.of(p)
	if len(list) != 3 || list[2].Author != conversation.OwnerPhone {
		t.Fatalf("before the answer: %+v", list)
	}
	twin := list[2].ID
	h.update(func(tx *store.Tx) error {
		k, err := conversation.Get(tx, h.Org, reply.Conversation)
		if err != nil {
			return err
		}
		m, err := conversation.GetMessage(tx, h.Org, reply.ID)
		if err != nil {
			return err
		}
		return conversation.Settle(tx, h.Org, &k, &m, conversation.Outcome{
			Event: conversation.WasSent, At: h.db.Now(), Part: conversation.Part{ID: copied.ID, Seq: copied.Seq},
		})
	})
	k, said, list := h.of(p)
	if len(list) != 2 || !slices.Equal(said, []string{"Salom, bormi?", "Ha, bor"}) || list[1].ID != reply.ID || list[1].Status != conversation.Sent || k.LastID != reply.ID {
		t.Errorf("%+v %q, last is %s", list, said, k.LastID)
	}
	storetest.View(t, h.db, func(tx *store.Tx) error {
		m, err := conversation.GetMessage(tx, h.Org, twin)
		if m.MergedInto != reply.ID || len(m.Parts) != 0 {
			t.Errorf("the copy: %+v", m)
		}
		return err
	})
	if list := h.events(event.ConversationMessageUpdated); len(list) != 2 || !contains(string(list[0].Data), `"merged_into":"`+reply.ID+`"`) {
		t.Errorf("%+v", list)
	}
	h.update(func(tx *store.Tx) error { return h.in.ReadByPeer(tx, h.at, p.ID, copied.Seq) })
	copied.Text, copied.EditedAt = "Ha, bor!", h.db.Now().Add(time.Second)
	h.edit(copied)
	h.arrive(copied) // handed over again
	if _, said, list := h.of(p); len(list) != 2 || said[1] != "Ha, bor!" || list[1].ReadAt.IsZero() {
		t.Errorf("%+v %q", list, said)
	}
}

// reply lets a person of the team answer, and gives what is kept of it.
func (h *env) reply(p channel.Person, text string) (m conversation.Message) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		k, err := conversation.Of(tx, h.Org, channel.OnMessenger, h.at.Owner, p.ID)
		if err == nil {
			m, err = conversation.Write(tx, h.Call(), &k, conversation.Written{Author: conversation.Human, Text: text})
		}
		return err
	})
	return m
}

// sentAgain is the outcome of a reply that was sent twice with the same number: the network
// names no id.
func (h *env) sentAgain(m conversation.Message) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		k, err := conversation.Get(tx, h.Org, m.Conversation)
		if err == nil {
			m, err = conversation.GetMessage(tx, h.Org, m.ID)
		}
		if err != nil {
			return err
		}
		return conversation.Settle(tx, h.Org, &k, &m, conversation.Outcome{Event: conversation.WasSent, At: h.db.Now()})
	})
}

// TestCopyOfForgotten: a reply that a killed process had sent is one message, whether its copy
// comes before or after it is known to be sent; what the owner types besides is its own.
func TestCopyOfForgotten(t *testing.T) {
	for name, copyFirst := range map[string]bool{"copy first": true, "copy last": false} {
		t.Run(name, func(t *testing.T) {
			h := newEnv(t)
			p := person(12)
			h.arrive(h.say(p, "Salom, bormi?"))
			reply := h.reply(p, "Ha, bor")
			copied := h.say(p, "Ha, bor")
			copied.Out = true
			if copyFirst {
				h.arrive(copied)
			}
			h.sentAgain(reply)
			if !copyFirst {
				h.arrive(copied)
			}
			_, said, list := h.of(p)
			if !slices.Equal(said, []string{"Salom, bormi?", "Ha, bor"}) || list[1].ID != reply.ID || list[1].PlatformID() != copied.ID {
				t.Fatalf("%q %+v", said, list)
			}
			typed := h.say(p, "Ha, bor")
			typed.Out = true
			h.arrive(typed)
			if _, said, list := h.of(p); len(list) != 3 || list[2].Author != conversation.OwnerPhone {
				t.Errorf("%q %+v", said, list)
			}
		})
	}
}

// TestLateBehindItsLike: messages that come late, because the account was not connected while
// somebody answered, stand before the answer, in the order of the network.
func TestLateBehindItsLike(t *testing.T) {
	h := newEnv(t)
	p := person(12)
	list := []channel.Incoming{h.say(p, "1"), h.say(p, "2"), h.say(p, "3"), h.say(p, "4"), h.say(p, "5")}
	for i := range 3 {
		h.arrive(list[i])
	}
	h.clock.Add(3 * time.Second)
	h.reply(p, "answer")
	h.arrive(list[3])
	h.arrive(list[4])
	if _, said, _ := h.of(p); !slices.Equal(said, []string{"1", "2", "3", "4", "5", "answer"}) {
		t.Errorf("%q", said)
	}
}
