package dataset

import (
	"slices"
	"testing"

	"svc/ai/phrase"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/quality/grade"
	"svc/app/seller/memory"
	"svc/store"
	"svc/store/storetest"
)

// TestWithoutNames: a name is masked with what a language puts behind it, and nothing else is.
func TestWithoutNames(t *testing.T) {
	var names []string
	for _, w := range phrase.Read("Aziz Karimova", nil).Words {
		names = append(names, w.Key)
	}
	for text, want := range map[string]string{
		"Mening ismim Aziz, 101 ta atirgul": "Mening ismim [NAME], 101 ta atirgul",
		"Исмим Азиз":                        "Исмим [NAME]",
		"Azizman, Karimovaga yozing":        "[NAME], [NAME] yozing",
		"Azizim, buket kerak":               "Azizim, buket kerak",
		"Salom! Narxi qancha?":              "Salom! Narxi qancha?",
		"Меня зовут Каримова Азиз, жду ответа": "Меня зовут [NAME] [NAME], жду ответа",
	} {
		if got := withoutNames(text, names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := withoutNames("Aziz", nil); got != "Aziz" {
		t.Errorf("without names: %q", got)
	}
}

// TestItemsHaveNoNames: an item that is made of a conversation has the customer's names nowhere,
// whether its words are those of the messages or those that the AI was asked (review H 55).
func TestItemsHaveNoNames(t *testing.T) {
	db := storetest.Open(t, slices.Concat(Tables(), conversation.Tables(), memory.Tables())...)
	const org = "org_01arz3ndektsv4rrffq69g5fav"
	add := func(conversation string) (c Content) {
		t.Helper()
		storetest.Update(t, db, func(tx *store.Tx) error {
			i, err := Add(tx, org, &Dataset{ID: "eds_1"}, Item{Source: FromFeedback, Conversation: conversation}, Content{
				Input: Input{
					Messages: []Message{{"CUSTOMER", "Men Nodiraman, +998 90 123 45 67"}, {"AI", "Nodira, narxi 15 000 soʻm."}, {"CUSTOMER", "Rahmat"}},
					Memory:   []Fact{{"NEED", "Nodiraga gul kerak"}},
				},
				Expected: grade.Expected{ReplyAvoids: []string{"Nodira, narxi"}},
			})
			if err != nil {
				return err
			}
			c, err = i.Open(db, org)
			return err
		})
		return c
	}
	var id string
	storetest.Update(t, db, func(tx *store.Tx) error {
		who := channel.Person{ID: "42", FirstName: "Nodira", LastName: "Karimova"}
		k, _, err := conversation.Find(tx, org, channel.At{Org: org, Account: "acc_1", Owner: "7", Channel: channel.OnMessenger}, who)
		if err != nil {
			return err
		}
		id = k.ID
		return conversation.SetPerson(tx, org, &k, who)
	})
	c := add(id)
	got := []string{c.Input.Messages[0].Text, c.Input.Messages[1].Text, c.Input.Memory[0].Value, c.Expected.ReplyAvoids[0]}
	if want := []string{"Men [NAME], [PHONE]", "[NAME], narxi 15 000 soʻm.", "[NAME] gul kerak", "[NAME], narxi"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if c := add(""); c.Input.Messages[1].Text != "Nodira, narxi 15 000 soʻm." { // a person wrote it, of nobody
		t.Errorf("of no conversation: %q", c.Input.Messages[1].Text)
	}
}
