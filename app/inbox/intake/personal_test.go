package intake

import (
	"testing"

	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/store"
)

// TestAddressBook: a chat is personal from the message on with which its person is in the address
// book, and no more when they are not, which is published once each time; whatever the owner said
// stays. What a personal chat tells of its recipient is that the account knows them.
func TestAddressBook(t *testing.T) {
	h := newEnv(t)
	hear[conversation.BecamePersonal](h)
	hear[conversation.PersonalEnded](h)
	told := func(became, ended int) {
		t.Helper()
		if b, e := len(signals[conversation.BecamePersonal](h)), len(signals[conversation.PersonalEnded](h)); b != became || e != ended {
			t.Errorf("became personal %d times, ended %d times; want %d and %d", b, e, became, ended)
		}
	}
	r := h.recipient(`{"messenger_id":8,"consent_status":"OPTED_IN"}`)
	customer, friend := channel.Person{ID: "8", FirstName: "Aka"}, channel.Person{ID: "8", FirstName: "Aka", Contact: true}
	h.arrive(h.say(customer, "narxi qancha?"))
	told(0, 0)
	if a := h.Do("GET /recipients/"+r, nil); a.At("conversation_id") == nil || a.At("last_replied_at") == nil {
		t.Errorf("%s", a.Body)
	}
	before := h.Do("GET /recipients/"+r+"/history", nil).Int("total")
	h.arrive(h.say(friend, "qalesan"))
	h.arrive(h.say(friend, "kechga kel"))
	told(1, 0)
	k, _, _ := h.of(customer)
	if !k.Personal || k.PersonalSource != conversation.ByContact {
		t.Errorf("%+v", k)
	}
	if after := h.Do("GET /recipients/"+r+"/history", nil).Int("total"); after != before {
		t.Errorf("the history of the recipient has %d entries, %d before the chat was personal", after, before)
	}
	h.arrive(h.say(customer, "yana"))
	told(1, 1)
	h.update(func(tx *store.Tx) error {
		k, err := conversation.Get(tx, h.Org, k.ID)
		if err == nil {
			err = conversation.SetPersonal(tx, h.Call(), h.bus, &k, true)
		}
		return err
	})
	told(2, 1)
	h.arrive(h.say(customer, "va yana"))
	told(2, 1)
	if k, _, _ := h.of(customer); !k.Personal || k.PersonalSource != conversation.ByOwner {
		t.Errorf("%+v", k)
	}
}

// TestContinued: the conversations of a number that was taken out belong to the account by which it
// is connected again, in as many rounds as it takes; those of other numbers stay.
func TestContinued(t *testing.T) {
	h := newEnv(t)
	const again = "acc_00000000000000000000000000"
	for n := range 5 {
		h.arrive(h.say(person(100+n), "salom"))
	}
	h.at.Account = "acc_00000000000000000000000009"
	h.arrive(h.say(person(200), "salom"))
	other := h.at
	other.Owner, other.Account = "701", ourAccount
	h.update(func(tx *store.Tx) error {
		_, err := h.in.Received(tx, other, h.say(person(300), "salom"))
		return err
	})
	at := h.at
	at.Account = again
	for _, want := range []int{4, 2, 0} {
		h.update(func(tx *store.Tx) error {
			n, err := conversation.GoOn(tx, h.Org, at, 4)
			if n != want {
				t.Errorf("%d conversations, want %d", n, want)
			}
			return err
		})
	}
	h.update(func(tx *store.Tx) error {
		for account, want := range map[string]int{again: 6, ourAccount: 1} {
			n, err := conversation.CountOf(tx, h.Org, &conversation.Filter{Account: account}, nil)
			if err != nil || n != want {
				t.Errorf("%d conversations of %s, want %d (%v)", n, account, want, err)
			}
		}
		return nil
	})
}

// TestOfWho: who may be meant by a recipient is found by id and by username, whatever its case,
// and by the recipient that a conversation has.
func TestOfWho(t *testing.T) {
	h := newEnv(t)
	h.arrive(h.say(channel.Person{ID: "41", Username: "Vali_K"}, "salom"))
	h.arrive(h.say(channel.Person{ID: "42", FirstName: "vali_k"}, "salom"))
	r := h.recipient(`{"messenger_id":43}`)
	h.arrive(h.say(channel.Person{ID: "43"}, "salom"))
	var found []string
	h.update(func(tx *store.Tx) error {
		found = nil
		x, err := recipient.Get(tx, h.Org, r)
		if err != nil {
			return err
		}
		who := x.Who()
		who.MessengerID, who.Username = 42, "vali_k"
		list, err := conversation.OfWho(tx, h.Org, channel.OnMessenger, r, who, 10)
		for i := range list {
			found = append(found, list[i].Person.ID)
		}
		return err
	})
	if len(found) != 3 || found[0] != "43" || found[1] != "42" || found[2] != "41" {
		t.Errorf("found %v", found)
	}
}
