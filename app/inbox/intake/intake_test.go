package intake

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/queue"
	"svc/store/storetest"
)

const ourAccount = "acc_00000000000000000000000001"

// env is what arrives, over a store.
type env struct {
	*apitest.Server
	t     testing.TB
	db    *store.DB
	bus   *signal.Bus
	in    *Service
	at    channel.At
	heard []any
	seq   int
	clock *storetest.Clock
}

// twice runs every closure of a transaction two times: one that does more than change the
// store shows. plain does not.
func twice(e kv.Engine) kv.Engine { return kvtest.Twice{Engine: e} }
func plain(e kv.Engine) kv.Engine { return e }

func newEnv(t testing.TB) *env { return newEnvOver(t, twice) }

func newEnvOver(t testing.TB, over func(kv.Engine) kv.Engine) *env {
	h := &env{t: t, bus: &signal.Bus{}, clock: storetest.NewClock()}
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		recipient.Tables(), conversation.Tables())
	path := t.TempDir() + "/test.db"
	engine, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	h.db = storetest.OpenWith(t, path, store.Options{Tables: tables, Now: h.clock.Now, Engine: over(engine)})
	h.in = New(channel.Networks{channel.OnMessenger: &channel.Messenger{Bus: h.bus}}, h.bus)
	hear[Arrived](h)
	hear[recipient.OptedOut](h)
	hear[conversation.FileWanted](h)
	h.Server = apitest.New(t, h.db, org.New(h.db, h.bus, org.Options{}), recipient.New(h.db, h.bus, recipient.Options{}))
	h.update(func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(context.Background(), "", h.db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		h.Org = made.ID
		return err
	})
	h.at = channel.At{Org: h.Org, Account: ourAccount, Owner: "700", Channel: channel.OnMessenger}
	return h
}

func hear[T any](h *env) {
	signal.On(h.bus, func(tx *store.Tx, _ *api.Call, what T) error {
		tx.AfterCommit(func() { h.heard = append(h.heard, what) })
		return nil
	})
}

func signals[T any](h *env) (out []T) {
	for _, x := range h.heard {
		if s, ok := x.(T); ok {
			out = append(out, s)
		}
	}
	return out
}

func (h *env) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.Update(h.t, h.db, f)
}

func (h *env) recipient(body string) string {
	h.t.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// person is somebody by number.
func person(n int) channel.Person { return channel.Person{ID: strconv.Itoa(n)} }

// say makes a message of the customer, the next of the account.
func (h *env) say(p channel.Person, text string) channel.Incoming {
	h.seq++
	return channel.Incoming{ID: strconv.Itoa(h.seq), Seq: int64(h.seq), From: p, At: h.db.Now(), Text: text}
}

// arrive hands a message over, as a connection does.
func (h *env) arrive(in channel.Incoming) (out channel.Stored) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		out, err = h.in.Received(tx, h.at, in)
		return err
	})
	return out
}

func (h *env) edit(in channel.Incoming) (out channel.Stored) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		out, err = h.in.Edited(tx, h.at, in)
		return err
	})
	return out
}

// of reads the conversation with somebody, and all that was said.
func (h *env) of(p channel.Person) (k conversation.Conversation, said []string, list []conversation.Message) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) (err error) {
		said, list = nil, nil
		if k, err = conversation.Of(tx, h.Org, channel.OnMessenger, h.at.Owner, p.ID); err != nil {
			return store.IgnoreNotFound(err)
		}
		if list, _, err = conversation.Older(tx, h.Org, k.ID, "", 200); err != nil {
			return err
		}
		for i := range list {
			c, err := list[i].Open(h.db, h.Org)
			if err != nil {
				return err
			}
			said = append(said, c.Text)
		}
		return nil
	})
	return k, said, list
}

// events are those of a type, newest last.
func (h *env) events(t event.Type) (out []event.Stored) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) error {
		out = nil
		list, err := event.After(tx, h.Org, "", 1000)
		for _, e := range list {
			if e.Type == t {
				out = append(out, e)
			}
		}
		return err
	})
	return out
}

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
