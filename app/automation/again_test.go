package automation

import (
	"errors"
	"testing"
	"time"

	"svc/app/channel"
	"svc/store"
	"svc/store/storetest"
)

// TestAskedAgain: what no longer fits the rule when its turn has come is not sent; what the decision
// service or a person said stands (section 6.4).
func TestAskedAgain(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	for why, change := range map[string]func(*prepared){
		"":        func(*prepared) {},
		noKeyword: func(p *prepared) { p.rule.Words = []string{"gul"} },
		otherPost: func(p *prepared) { p.rule.AllPosts = false },
		over:      func(p *prepared) { p.rule.To = now },
		isOff:     func(p *prepared) { p.rule.Enabled = false },
	} {
		p := prepared{rule: Rule{Enabled: true, AllPosts: true, Trigger: Keywords, Match: MatchAny, Words: []string{"narx"}}, words: words{Comment: "narx?"}}
		change(&p)
		if got := p.objection(now); got != why {
			t.Errorf("%q, want %q", got, why)
		}
		p.reply.Approved = true
		if got := p.objection(now); got != "" {
			t.Errorf("a person approved it, and yet: %q", got)
		}
	}
	p := prepared{rule: Rule{Enabled: true, AllPosts: true, Trigger: Interest}}
	if got := p.objection(now); got != "" {
		t.Errorf("the service said so, and yet: %q", got)
	}
}

// TestDeletedCommentIsForgotten: the words of a comment that is deleted go at once, also where no rule
// was chosen yet.
func TestDeletedCommentIsForgotten(t *testing.T) {
	db := storetest.OpenWith(t, "", store.Options{Tables: append(Tables(), channel.Tables()...)})
	const owner = "org_00000000000000000000000001"
	r := Reply{ID: db.NewID("prr"), Account: "cha_1", Comment: "c1", Status: Pending}
	storetest.Update(t, db, func(tx *store.Tx) error {
		return errors.Join(sealed.SetJSON(tx, owner, &r, words{Comment: "narxi?"}), replies.Insert(tx, owner, &r))
	})
	s := &Service{db: db}
	storetest.Update(t, db, func(tx *store.Tx) error { return s.removed(tx, owner, "cha_1", "c1") })
	storetest.View(t, db, func(tx *store.Tx) error {
		got, err := replies.Get(tx, owner, r.ID)
		if got.Status != Skipped || !got.Words.IsZero() {
			t.Errorf("%+v", got)
		}
		return err
	})
}
