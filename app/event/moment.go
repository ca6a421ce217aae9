package event

import (
	"slices"
	"strings"
	"time"

	"svc/app/api/perm"
	"svc/store"
)

// ConversationTyping says that a person writes an answer in a conversation now. It is no
// recorded event: only open streams carry it, without an id, and nothing keeps it
// (contract 22).
const ConversationTyping Type = "ai.conversation.typing"

// TypingFor is how long somebody counts as writing without saying so again.
const TypingFor = 5 * time.Second

// Typing is a person who writes in a conversation.
type Typing struct {
	Conversation string
	User         string // "" for a key
	Personal     bool   // the chat is: not everybody may hear of it
}

// typingTopic is what the store is told when somebody of an organization writes.
func typingTopic(org string) string { return "typing:" + org }

// TellTyping tells the open streams of an organization, on all nodes, that somebody
// writes.
func TellTyping(tx *store.Tx, org string, t Typing) {
	kind := "open"
	if t.Personal {
		kind = "personal"
	}
	tx.Publish(typingTopic(org), strings.Join([]string{kind, t.Conversation, t.User}, " "))
}

// moment is what a stream sends at once and nobody keeps.
type moment struct {
	Typing
	frame []byte
}

// momentsWaiting is how many of them wait for a slow stream; more are dropped.
const momentsWaiting = 16

// typed writes the frame of what TellTyping told; ok is false for anything else.
func typed(payload string, now time.Time) (m moment, ok bool) {
	parts := strings.Split(payload, " ")
	if len(parts) != 3 {
		return m, false
	}
	m.Personal, m.Conversation, m.User = parts[0] == "personal", parts[1], parts[2]
	data := map[string]any{"conversation_id": m.Conversation, "by": nil, "until": now.Add(TypingFor)}
	if m.User != "" {
		data["by"] = map[string]string{"id": m.User}
	}
	m.frame = []byte(frame("", string(ConversationTyping), mustJSON(struct {
		Type      Type      `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Version   string    `json:"api_version"`
		Data      any       `json:"data"`
	}{ConversationTyping, now, Version, data})))
	return m, true
}

// hears says whether a stream carries a moment.
func (f *follower) hears(m *moment) bool {
	p := f.c.Caller.Perms
	return f.typing && p.Has(perm.AIRead) && (!m.Personal || p.Has(perm.AccountsManage)) && (f.about == "" || f.about == m.Conversation)
}

// asked reads the types that a stream asks for: what is recorded, and whether typing is
// among them. ok is false when a pattern stands for nothing.
func asked(patterns []string) (recorded []Type, typing, ok bool) {
	left := slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
		prefix, wild := strings.CutSuffix(p, "*")
		name := string(ConversationTyping)
		hit := p == name || wild && strings.HasPrefix(name, prefix)
		typing = typing || hit
		return p == string(ConversationTyping)
	})
	recorded, ok = Match(left)
	if recorded == nil {
		recorded = []Type{} // no recorded event, as opposed to all of them
	}
	return recorded, typing, ok
}
