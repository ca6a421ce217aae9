package sim

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/calendar"
	"svc/messenger/platform/sim/rule"
)

// The language of scenes, one a line; a # begins a comment:
//
//	account photo @demo_studio followers 1200 | account page "Demo Shop" human-agent
//	person photo @lola name "Lola" [blocks] [no-profile]
//	at 5 sends error 613                     every 20 sends drop answer | drop request | status 502 | slow 2s | empty
//	at 3 sends of @demo_studio error 10/2534022          after 100 sends error 368
//	at 2 echoes late 40s | lost | twice      at 4 webhooks twice | reversed | lost | bad-signature | batch 50
//	at 1 refreshes error 190                 at 1 private error 10900
//	now @demo_studio expire token | revoke token | remove app | drop scope comments | usage 95 regain 7 | unpublish | publish
//	now @demo_studio types "ha" to @lola     now @demo_studio other-app @lola
//	account video @demo_channel followers 5400                at 7 calls quotaExceeded | commentsDisabled | drop answer
//	now @demo_studio publishes "text" [reel|story|video|short] [views N] [likes N] [ago 48h] [no-comments] | removes post
//	now @demo_studio figures views 900 likes 40 | followers 1300 | no-metric views | fills 500 40      now @demo_channel spent 9600
//	now @lola answers "…" to @demo_studio    # below the newest comment
//	now @lola says "narxi?" to @demo_studio | sends photo URL to @demo_studio | comments "narx" on @demo_studio | presses "Narx" to @demo_studio
//	now @lola unsends last to @demo_studio | edits last "…" to @demo_studio | reacts love to @demo_studio | reads @demo_studio
//
// The scenes of the calendar are in package calendar.
//
// at and every count what each account does; a page is named by its name in small letters,
// other signs as _.

// Script runs scenes.
func (s *Simulator) Script(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, line := range strings.Split(text, "\n") {
		words, err := calendar.Words(line)
		if err == nil && len(words) > 0 {
			err = s.scene(words)
		}
		if err != nil {
			return fmt.Errorf("scene %d: %q: %w", n+1, line, err)
		}
	}
	return nil
}

// On runs scenes whose account is that of one network, where several have its name.
func (s *Simulator) On(network platform.Name, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.only = network
	defer func() { s.only = "" }()
	for _, line := range strings.Split(text, "\n") {
		words, err := calendar.Words(line)
		if err == nil && len(words) > 0 {
			err = s.scene(words)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	return nil
}

// slug is how a page is named in scenes.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, strings.ToLower(name))
}

var errScene = rule.ErrForm

// fires counts what an account does and says what a rule makes of it. The lock is held.
func (s *Simulator) fires(a *account, what string) rule.Action {
	return s.rules.Fires(rule.Account{Network: string(a.network), Username: a.username}, what)
}

func (s *Simulator) scene(w []string) error {
	if calendar.Mine(w) {
		return s.Calendar.Scene(w)
	}
	switch w[0] {
	case "account":
		return s.sceneAccount(w[1:])
	case "person":
		return s.scenePerson(w[1:])
	case "at", "every", "after":
		return s.rules.Add(w)
	case "now":
		return s.sceneNow(w[1:])
	}
	return errScene
}

func networkOf(word string) (platform.Name, bool) {
	switch word {
	case "photo":
		return platform.Photo, true
	case "page":
		return platform.Page, true
	case "video":
		return platform.Video, true
	}
	return "", false
}

func (s *Simulator) sceneAccount(w []string) error {
	if len(w) < 2 {
		return errScene
	}
	network, ok := networkOf(w[0])
	if !ok {
		return errScene
	}
	name := strings.TrimPrefix(w[1], "@")
	username := name
	if network == platform.Page {
		username = slug(name)
	}
	a := s.account(network, username)
	if a == nil {
		a = s.addAccount(network, username, name)
		a.posts = []*post{{ID: s.postID(a, a.id+" post"), Text: "Yangi kolleksiya", At: s.o.Now().Add(-time.Hour)}}
	}
	for i := 2; i < len(w); i++ {
		switch {
		case w[i] == "human-agent":
			a.humanAgent = true
		case w[i] == "no-messaging":
			a.tasks = []string{"ANALYZE"}
		case w[i] == "followers" && i+1 < len(w):
			i++
			a.followers, _ = strconv.Atoi(w[i])
		default:
			return errScene
		}
	}
	return nil
}

func (s *Simulator) scenePerson(w []string) error {
	if len(w) < 2 {
		return errScene
	}
	network, ok := networkOf(w[0])
	if !ok {
		return errScene
	}
	p := s.person(network, strings.TrimPrefix(w[1], "@"))
	for i := 2; i < len(w); i++ {
		switch {
		case w[i] == "blocks":
			p.blocks = true
		case w[i] == "no-profile":
			p.noProfile = true
		case w[i] == "name" && i+1 < len(w):
			i++
			p.name = w[i]
		default:
			return errScene
		}
	}
	return nil
}

// find is the account of a name, of either network.
func (s *Simulator) find(word string) *account {
	name := strings.TrimPrefix(word, "@")
	for _, a := range s.accounts {
		if a.username == name && (s.only == "" || s.only == a.network) {
			return a
		}
	}
	return nil
}

func (s *Simulator) sceneNow(w []string) error {
	if len(w) < 2 {
		return errScene
	}
	if a := s.find(w[0]); a != nil {
		return s.accountDoes(a, w[1:])
	}
	if len(w) < 3 {
		return errScene
	}
	a := s.find(w[len(w)-1])
	if a == nil {
		return fmt.Errorf("there is no account %s", w[len(w)-1])
	}
	return s.personDoes(a, s.person(a.network, strings.TrimPrefix(w[0], "@")), w[1:len(w)-1])
}

func (s *Simulator) accountDoes(a *account, w []string) error {
	if ok, err := s.contentDoes(a, w); ok {
		return err
	}
	switch text := strings.Join(w, " "); {
	case text == "expire token":
		a.tokenFault = 463
	case text == "revoke token":
		a.tokenFault = 460
	case text == "remove app":
		a.tokenFault = 458
	case text == "unpublish", text == "publish":
		a.unpublish = text == "unpublish"
	case len(w) == 3 && w[0] == "drop" && w[1] == "scope":
		a.dropped = append(a.dropped, w[2])
	case len(w) >= 2 && w[0] == "usage":
		a.usage, _ = strconv.Atoi(w[1])
		a.regain = 0
		if len(w) == 4 {
			a.regain, _ = strconv.Atoi(w[3])
		}
	case len(w) == 4 && w[0] == "types" && w[2] == "to":
		p := s.person(a.network, strings.TrimPrefix(w[3], "@"))
		m := &message{MID: s.next("m_"), Out: true, Text: w[1], At: s.o.Now()}
		s.thread(a, p).add(m)
		s.record(a, p, m)
		s.echo(a, p, m)
	case len(w) == 2 && w[0] == "other-app":
		a.otherApp[idOf(a, s.person(a.network, strings.TrimPrefix(w[1], "@")))] = true
	case len(w) == 2 && w[0] == "policy":
		s.queueWebhook(a, "messaging_policy_enforcement", map[string]any{
			"recipient": map[string]string{"id": a.id}, "timestamp": s.o.Now().UnixMilli(),
			"policy_enforcement": map[string]string{"action": w[1], "reason": "The page does not follow the policy."},
		})
	default:
		return errScene
	}
	return nil
}

// personDoes lets somebody do something with an account; the last word, the account, is gone.
func (s *Simulator) personDoes(a *account, p *person, w []string) error {
	switch {
	case w[0] == "says" && len(w) == 3:
		s.says(a, p, w[1], "", nil)
	case w[0] == "sends" && len(w) == 4:
		kind := map[string]string{"photo": "image"}[w[1]]
		if kind == "" {
			kind = w[1]
		}
		s.says(a, p, "", "", []file{{Kind: kind, URL: w[2]}})
	case w[0] == "replies-story" && len(w) == 3:
		m := s.says(a, p, "", "", nil)
		m.Text = w[1]
		last := &a.queue[max(len(a.queue)-1, 0)]
		last.item["message"] = map[string]any{"mid": m.MID, "text": w[1], "reply_to": map[string]any{"story": map[string]any{"id": "s1", "url": ""}}}
	case w[0] == "comments" && len(w) == 3:
		if len(a.posts) == 0 {
			return fmt.Errorf("the account has no post")
		}
		s.comments(a, p, cmp.Or(a.newest(), a.posts[0]), w[1])
	case w[0] == "answers" && len(w) == 3:
		return s.answersBelow(a, p, w[1])
	case w[0] == "presses" && len(w) == 3:
		s.queueWebhook(a, "messaging_postbacks", s.from(a, p, map[string]any{"postback": map[string]any{"mid": s.next("m_"), "title": w[1], "payload": "PRESSED"}}))
		s.thread(a, p).lastIn = s.o.Now()
	case w[0] == "opts-in" && len(w) == 3:
		s.queueWebhook(a, "messaging_optins", s.from(a, p, map[string]any{"optin": map[string]any{
			"type": "notification_messages", "title": w[1], "notification_messages_token": number("tok", p.username+w[1]),
		}}))
	case w[0] == "opts-out" && len(w) == 3:
		s.queueWebhook(a, "messaging_optins", s.from(a, p, map[string]any{"optin": map[string]any{
			"type": "notification_messages", "title": w[1], "notification_messages_token": number("tok", p.username+w[1]),
			"notification_messages_status": "STOP_NOTIFICATIONS",
		}}))
	case w[0] == "blocks":
		p.blocks = true
	case w[0] == "reads":
		s.reads(a, p)
	case w[0] == "deletes-comment":
		return s.deleteComment(a, p)
	default:
		return s.personChanges(a, p, w)
	}
	return nil
}

func (s *Simulator) deleteComment(a *account, p *person) error {
	for _, at := range a.posts {
		for i := len(at.Comments) - 1; i >= 0; i-- {
			if c := at.Comments[i]; c.From == p && !c.Deleted {
				c.Deleted = true
				s.tellComment(a, at, c, "remove")
				return nil
			}
		}
	}
	return fmt.Errorf("there is no comment")
}

func (s *Simulator) reads(a *account, p *person) {
	t := s.thread(a, p)
	t.read = s.o.Now()
	if a.network == platform.Page {
		s.queueWebhook(a, "message_reads", s.from(a, p, map[string]any{"read": map[string]any{"watermark": t.read.UnixMilli()}}))
		return
	}
	for i := len(t.messages) - 1; i >= 0; i-- {
		if t.messages[i].Out {
			s.queueWebhook(a, "messaging_seen", s.from(a, p, map[string]any{"read": map[string]any{"mid": t.messages[i].MID}}))
			return
		}
	}
}

// personChanges changes the last message that somebody wrote, or reacts to the last that they
// got.
func (s *Simulator) personChanges(a *account, p *person, w []string) error {
	t := s.thread(a, p)
	last := func(out bool) *message {
		for i := len(t.messages) - 1; i >= 0; i-- {
			if t.messages[i].Out == out && !t.messages[i].Deleted {
				return t.messages[i]
			}
		}
		return nil
	}
	mine, theirs := last(false), last(true)
	switch {
	case w[0] == "unsends" && mine != nil:
		mine.Deleted, mine.Text, mine.Files = true, "", nil
		s.record(a, p, mine)
		s.queueWebhook(a, "messages", s.from(a, p, map[string]any{"message": map[string]any{"mid": mine.MID, "is_deleted": true}}))
	case w[0] == "edits" && len(w) == 4 && mine != nil:
		mine.Text, mine.Edits = w[2], mine.Edits+1
		s.record(a, p, mine)
		field := "message_edit"
		if a.network == platform.Page {
			field = "message_edits"
		}
		s.queueWebhook(a, field, s.from(a, p, map[string]any{"message_edit": map[string]any{"mid": mine.MID, "text": mine.Text, "num_edit": mine.Edits}}))
	case (w[0] == "reacts" || w[0] == "unreacts") && theirs != nil:
		react := map[string]any{"mid": theirs.MID, "action": "react", "reaction": "love", "emoji": "❤"}
		if w[0] == "unreacts" {
			react = map[string]any{"mid": theirs.MID, "action": "unreact"}
		}
		s.queueWebhook(a, "message_reactions", s.from(a, p, map[string]any{"reaction": react}))
	default:
		return errScene
	}
	return nil
}
