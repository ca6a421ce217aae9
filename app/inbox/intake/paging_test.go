package intake

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/storetest"
)

// TestPagesWhileMessagesArrive: whoever follows the pages of a list sees each conversation once in
// which nothing happens meanwhile, in every order, while messages arrive in those that were seen,
// in those that come, and from strangers. One in which something happens is at its new place.
func TestPagesWhileMessagesArrive(t *testing.T) {
	for _, by := range []conversation.Sort{conversation.ByRecent, conversation.ByUnread, conversation.ByWaiting, conversation.ByOldest} {
		t.Run(string(by), func(t *testing.T) {
			h := newEnv(t)
			const people, newcomers = 24, 1000
			for n := range people {
				h.clock.Add(time.Second)
				h.arrive(h.say(person(n), "salom"))
				if n%3 == 0 {
					h.reply(person(n), "salom")
				}
			}
			moved := map[string]bool{}
			seen := map[string]int{}
			for page, cursor := 0, store.Cursor(nil); ; page++ {
				var got store.Page[conversation.Conversation]
				storetest.View(t, h.db, func(tx *store.Tx) (err error) {
					got, err = conversation.List(tx, h.Org, &conversation.Filter{}, nil, by, store.Query[conversation.Conversation]{Limit: 3, After: cursor})
					return err
				})
				for i := range got.Data {
					seen[got.Data[i].Person.ID]++
				}
				if cursor = got.Next; cursor == nil || page > 3*people {
					break
				}
				if page < 5 {
					h.clock.Add(time.Second)
					for _, p := range []int{page * 4, people - 1 - page*4, newcomers + page} {
						h.arrive(h.say(person(p), "yana"))
						moved[person(p).ID] = true
					}
				}
			}
			for n := range people {
				if id := person(n).ID; !moved[id] && seen[id] != 1 {
					t.Errorf("the conversation with %s, in which nothing happened, was seen %d times", id, seen[id])
				}
			}
		})
	}
}

// TestOlderWhileMessagesArrive: whoever reads a conversation backwards sees each message that was
// there once, in its order, while others arrive, also such as come late and have their place among
// the old ones, and while some are deleted and one becomes part of another.
func TestOlderWhileMessagesArrive(t *testing.T) {
	h := newEnv(t)
	p := person(1)
	for n := range 20 {
		h.clock.Add(time.Second)
		h.arrive(h.say(p, fmt.Sprint(n)))
	}
	late := h.say(p, "late")
	h.clock.Add(time.Minute)
	k, was, _ := h.of(p)
	var got []string
	for before := ""; ; {
		var list []conversation.Message
		more := false
		storetest.View(t, h.db, func(tx *store.Tx) (err error) {
			list, more, err = conversation.Older(tx, h.Org, k.ID, before, 3)
			return err
		})
		var words []string
		for i := range list {
			c, err := list[i].Open(h.db, h.Org)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, c.Text)
		}
		got = append(words, got...)
		if !more {
			break
		}
		before = list[0].ID
		h.arrive(h.say(p, "new"))
		if late.ID != "" {
			h.arrive(late)
			late.ID = ""
		}
		h.update(func(tx *store.Tx) error { return h.in.Deleted(tx, h.at, []string{list[0].PlatformID()}) })
	}
	if !slices.Equal(got, was) {
		t.Errorf("read backwards it says\n%q, want\n%q", got, was)
	}
}
