package web_test

import (
	"fmt"
	"strings"
	"time"
)

// does is what the customer writes, or in brackets what somebody of the team does.
func (p *conversationPlay) does(what string) {
	p.t.Helper()
	word, rest, ok := strings.Cut(what, "] ")
	word = strings.Trim(word, "[]")
	if !strings.HasPrefix(what, "[") || word == "photo" {
		p.says(what)
		return
	}
	switch route := "POST /ai/conversations/" + p.id + "/" + word; word {
	case "takeover", "stop", "resume":
		p.api.Do(route, map[string]any{}).Want(200)
	case "reply":
		p.api.Do(route, map[string]any{"text": rest}).Want(202)
	case "phone":
		p.act(p.t, "messenger", fmt.Sprintf("now %s says %q to @%s", shopPhone, rest, p.person))
	case "settings":
		p.set(word, rest)
	case "offer":
		p.makes(word, rest)
	default:
		p.t.Fatalf("nobody of the team does %q (%v)", what, ok)
	}
}

// makes does what a line says, until the end of the conversation.
func (p *conversationPlay) makes(what, text string) {
	p.t.Helper()
	body, business := p.object(text), "/ai/businesses/"+p.business
	switch what {
	case "identity":
		body["name"], body["role"], body["is_default"] = "Test", "sotuvchi yordamchisi", true
		id := p.made("POST "+business+"/identities", "/ai/identities/", body)
		p.seller("identity_id", id)
	case "language":
		body["name"] = "Test"
		id := p.made("POST /ai/language-profiles", "/ai/language-profiles/", body)
		p.seller("language_profile_ids", []string{id})
	case "knowledge":
		body["business_id"] = p.business
		id := p.made("POST /ai/knowledge/sources", "/ai/knowledge/sources/", body)
		p.act(p.t, "settle", "")
		var got struct {
			Version int `json:"published_version"`
			Chunks  []struct{ N int }
		}
		p.api.Do("GET /ai/knowledge/sources/"+id, nil).Want(200).Into(&got)
		if len(got.Chunks) == 0 {
			p.t.Fatalf("%s was not published", text)
		}
		p.answer = fmt.Sprintf("%s/%d/%d", id, got.Version, got.Chunks[0].N)
	case "offer":
		p.offer(body)
	}
}

// offer changes an offer of that name, or adds one.
func (p *conversationPlay) offer(body map[string]any) {
	p.t.Helper()
	var list struct{ Data []map[string]any }
	route := "/ai/businesses/" + p.business + "/offers"
	p.api.Do("GET "+route+"?limit=100", nil).Want(200).Into(&list)
	for _, o := range list.Data {
		if o["name"] != body["name"] {
			continue
		}
		id, was := fmt.Sprint(o["id"]), map[string]any{}
		for k := range body {
			was[k] = o[k]
		}
		p.undo = append(p.undo, func() { p.api.Do("PATCH /ai/offers/"+id, was).Want(200) })
		p.act(p.t, "advance", time.Second.String()) // what was said before is older
		p.api.Do("PATCH /ai/offers/"+id, body).Want(200)
		return
	}
	p.made("POST "+route, "/ai/offers/", body)
}

// made posts something that goes when the conversation ends, and answers its id.
func (p *conversationPlay) made(route, path string, body map[string]any) string {
	p.t.Helper()
	id := p.api.Do(route, body).Want(201).String("id")
	p.undo = append(p.undo, func() { p.api.Do("DELETE "+path+id, nil).Want(204) })
	return id
}

// seller puts a setting under those that the lines of the conversation make.
func (p *conversationPlay) seller(name string, value any) {
	if p.of == nil {
		p.of = map[string]any{}
	}
	p.of[name] = value
	p.set("settings", "{}")
}

// restore takes back what the conversation made.
func (p *conversationPlay) restore() {
	p.of = nil
	p.set("settings", "{}")
	for len(p.undo) > 0 {
		last := len(p.undo) - 1
		p.undo[last]()
		p.undo = p.undo[:last]
	}
}

// happened is what is new in the conversation, as the team sees it.
func (p *conversationPlay) happened() (out []string) {
	var k struct {
		State    string `json:"ai_state"`
		Messages []struct{ Author, Text, Status string }
		Draft    *struct{ ID, Text string }
		Handoff  *struct {
			ID, Trigger string
			Text        string `json:"customer_text"`
			Choices     []string
		}
		Contact struct {
			Consent string `json:"consent"`
		}
	}
	p.api.Do("GET /ai/conversations/"+p.id+"?limit=50", nil).Want(200).Into(&k)
	say := func(what, text string) {
		out = append(out, strings.TrimSpace("< "+what+": "+strings.ReplaceAll(text, "\n", " / ")))
	}
	for _, m := range k.Messages[min(p.seen.messages, len(k.Messages)):] {
		switch {
		case m.Author == "CUSTOMER":
		case m.Status == "SENT":
			say(map[string]string{"AI": "seller", "HUMAN": "human", "OWNER_PHONE": "phone"}[m.Author], m.Text)
		default:
			say(m.Author+" "+m.Status, m.Text)
		}
	}
	if k.Draft != nil && k.Draft.ID != p.seen.draft {
		say("draft", k.Draft.Text)
		p.seen.draft = k.Draft.ID
	}
	if k.Handoff != nil && k.Handoff.ID != p.seen.handoff {
		what := k.Handoff.Trigger
		if len(k.Handoff.Choices) > 0 {
			what += fmt.Sprintf(" %s of «%s»", strings.Join(k.Handoff.Choices, " or "), k.Handoff.Text)
		}
		say("handoff", what)
		p.seen.handoff = k.Handoff.ID
	}
	if k.State != p.seen.state {
		say("state", k.State)
	}
	var blocked struct {
		Data []struct {
			Data struct {
				Conversation string `json:"conversation_id"`
				Codes        []string
			}
		}
	}
	p.api.Do("GET /events?type=ai.reply.blocked&limit=50", nil).Want(200).Into(&blocked)
	n := 0
	for _, e := range blocked.Data {
		if e.Data.Conversation == p.id {
			if n++; n > p.seen.executions {
				say("codes", strings.Join(e.Data.Codes, " "))
			}
		}
	}
	p.seen.messages, p.seen.state, p.seen.executions = len(k.Messages), k.State, n
	if len(out) == 0 {
		return []string{"< nothing"}
	}
	return out
}
