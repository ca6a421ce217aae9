package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/org"
	"svc/store"
	"svc/store/storetest"
	"svc/web/webtest"
)

// TestConversations plays the conversations of testdata/conversations through the real turn,
// over the simulated messenger and a model whose answers the files say, and compares what the
// customer and the team see.
//
// A file is read line by line; # begins a comment:
//
//	settings JSON      of the seller, over those that every conversation begins with
//	business JSON      of the business, likewise
//	identity JSON      the persona of the seller, language JSON a language profile of it, offer JSON
//	                   an offer that is added, or changed by its name, knowledge JSON a source;
//	                   each until the end of the conversation
//	decide JSON        values of fields that the decision model says, for the next turn; "none":
//	                   it says nothing of use
//	model TEXT|JSON    the next reply of the model: its words, or members of its answer; {answer}
//	                   is the id of what the last source of knowledge says
//	> TEXT             the customer writes; lines that follow each other come at once
//	> [photo]          the customer sends a photo without words
//	~ TEXT             the customer writes while the answer to the lines above is being made
//	% TEXT             the customer writes while that answer waits to be sent
//	+ [WHAT] REST      somebody of the team acts: takeover, stop, resume, reply TEXT (from the
//	                   inbox), phone TEXT (in the network's own app), settings JSON, offer JSON;
//	                   ~ and % take these too
//	wait DURATION      time passes
//	< WHAT: TEXT       what came of it, written with -args -update and read by a person:
//	                   seller, human and phone (sent), draft, handoff (its trigger, and what
//	                   decides a doubtful stop), state, opted out, codes (why a reply was
//	                   blocked); "nothing" when none of these happened
//
// Each conversation is of another customer of one shop. What of the model is not asked for fails.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d conversations (%v), want 25 or more", len(files), err)
	}
	s := openShop(t, webtest.Options{})
	for i, file := range files {
		if t.Failed() {
			return // the others would begin where this one broke off
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			p := &conversationPlay{shop: s, t: t, person: fmt.Sprintf("demo_user_%d5", 10+i)}
			defer p.restore()
			p.file(file)
		})
	}
}

// shop is the service with one account and one business.
type shop struct {
	*webtest.Server
	api               *apitest.Server
	account, business string
}

const shopPhone = "+998900000001"

// usualSettings and usualBusiness are those with which each conversation begins.
const (
	usualSettings = `{"active":true,"autonomy_level":4,"reply_delay_seconds":{"min":2,"max":2},"disclosure_mode":"WHEN_ASKED","follow_up":{"limit":0,"delay_minutes":240}}`
	usualBusiness = `{"business_hours":{"mon":[],"tue":[],"wed":[],"thu":[],"fri":[],"sat":[],"sun":[],"exceptions":[]}}`
)

func openShop(t testing.TB, o webtest.Options) *shop {
	t.Helper()
	o.Messaging, o.PublicURL = true, "https://svc.example.uz"
	s := &shop{Server: webtest.Start(t, o)}
	a := s.App()
	s.api = apitest.New(t, a.DB, a)
	err := a.DB.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", a.DB.Now()), org.Fields{Name: "Gul", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
		s.api.Org = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	do := s.api.Do
	do("POST /organization/accept-policy", map[string]any{"policy_version": "1"}).Want(200)
	flow := do("POST /accounts", map[string]any{"phone": shopPhone}).Want(201).String("state.flow_id")
	s.account = do("POST /accounts/login/"+flow+"/code", map[string]any{"code": "12345"}).Want(200).String("account.id")
	do("PATCH /accounts/"+s.account, map[string]any{"inbound_enabled": true}).Want(200)
	s.business = do("POST /ai/businesses", map[string]any{"name": "Gul", "languages": []string{"uz", "ru", "en"}, "address": "Toshkent, Chilonzor 5"}).Want(201).String("id")
	for _, o := range []map[string]any{
		{"name": "101 ta atirgul", "price": 1400000, "currency": "UZS", "delivery": "2 soat ichida"},
		{"name": "Pion buketi", "price": 450000, "currency": "UZS"},
		{"name": "Lola", "price": 15000, "currency": "UZS", "availability": "OUT_OF_STOCK"},
	} {
		do("POST /ai/businesses/"+s.business+"/offers", o).Want(201)
	}
	do("POST /ai/knowledge/sources", map[string]any{
		"business_id": s.business, "type": "FAQ", "title": "Yetkazib berish", "question": "Yetkazib berish qancha turadi?", "answer": "Toshkent boʻylab yetkazib berish 30 000 soʻm.",
	}).Want(201)
	do("POST /ai/providers", map[string]any{"kind": "OPENAI", "name": "Open", "api_key": "sk-test-0123456789abcdef"}).Want(201)
	do("PUT /ai/businesses/"+s.business+"/accounts", map[string]any{"accounts": []any{map[string]any{"account_id": s.account}}}).Want(200)
	s.act(t, "setting", `{"conversation_intelligence_enabled":false}`) // analyses are another matter
	s.act(t, "settle", "")
	return s
}

func (s *shop) act(t testing.TB, name, arg string) {
	t.Helper()
	if err := s.Act(name, arg); err != nil {
		log := s.Log()
		t.Fatalf("%s %s: %v\n%s", name, arg, err, log[max(0, len(log)-2000):])
	}
}

// conversationPlay is one conversation as it is played.
type conversationPlay struct {
	*shop
	t      testing.TB
	person string
	id     string // of the conversation, "" before the first message

	decide    map[string]any
	undecided bool // the decision model says nothing of use
	models    []string
	always    bool           // the model says the same each time
	of        map[string]any // settings that the lines of the conversation make
	answer    string         // {answer}
	undo      []func()       // what restore does, the last first
	seen      seen
}

// seen is what was shown last.
type seen struct {
	messages       int
	draft, handoff string
	state          string
	executions     int
}

func (p *conversationPlay) file(name string) {
	source, err := os.ReadFile(name)
	if err != nil {
		p.t.Fatal(err)
	}
	p.set("settings", "{}")
	p.set("business", "{}")
	p.seen.state = "ACTIVE"
	lines := strings.Split(strings.TrimRight(string(source), "\n"), "\n")
	var out, burst []string
	during, before, shown := "", "", false
	for i, l := range lines {
		if strings.HasPrefix(l, "<") {
			continue // written again below
		}
		out = append(out, l)
		word, arg, _ := strings.Cut(l, " ")
		switch word {
		case ">":
			burst = append(burst, arg)
		case "~":
			during = arg
		case "%":
			before = arg
		case "+":
			p.does(arg)
			p.settled()
			shown = true
		case "wait":
			if len(p.models) > 0 {
				p.script("") // of what is written into a silence
			}
			p.act(p.t, "advance", arg)
			p.settled()
			shown = true
		case "settings", "business":
			p.set(word, arg)
		case "identity", "language", "offer", "knowledge":
			p.makes(word, arg)
		case "decide":
			if p.undecided = arg == "none"; !p.undecided {
				p.decide = p.object(arg)
			}
		case "model":
			p.models = append(p.models, arg)
		default:
			if l != "" && !strings.HasPrefix(l, "#") {
				p.t.Fatalf("%s:%d: %q", name, i+1, l)
			}
		}
		last := i+1 == len(lines) || !strings.HasPrefix(lines[i+1], ">") && !strings.HasPrefix(lines[i+1], "~") && !strings.HasPrefix(lines[i+1], "%")
		if len(burst) > 0 && last {
			p.turn(burst, during, before)
			burst, during, before, shown = nil, "", "", true
		}
		if shown {
			out = append(out, p.happened()...)
			shown = false
		}
	}
	updating := flag.Lookup("update").Value.String() == "true"
	if d := cmp.Diff(lines, out); d != "" && !updating {
		p.t.Errorf("%s (-file +program):\n%s", name, d)
	} else if d != "" {
		if err := os.WriteFile(name, []byte(strings.Join(out, "\n")+"\n"), 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *conversationPlay) object(text string) (out map[string]any) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	return out
}

// set changes the settings of the seller, or the business.
func (p *conversationPlay) set(what, text string) {
	p.t.Helper()
	route, usual := "PUT /ai/businesses/"+p.business+"/seller-settings", usualSettings
	if what == "business" {
		route, usual = "PATCH /ai/businesses/"+p.business, usualBusiness
	}
	all := p.object(usual)
	if what == "settings" {
		maps.Copy(all, p.of)
	}
	maps.Copy(all, p.object(text))
	p.api.Do(route, all).Want(200)
}

// script lets the model decide and reply; the newest scene that fits is played, so that the last
// reply is set first. The first reply comes at a pace ("slow 2s ", "" at once). A reply that no file says is one that nothing grounds.
func (p *conversationPlay) script(pace string) {
	p.act(p.t, "ai", "clear")
	fields := map[string]any{}
	for name, value := range map[string]string{
		"sales_stage": "NEW", "advance": "no", "next_action": "ANSWER", "interest": "LOW", "lead_quality": "cold", "objection": "NONE", "handoff": "no",
		"booking": "no", "knowledge": "no", "stop": "no", "disclose_ai": "no", "intent": "QUESTION", "scenario": "FAQ",
	} {
		fields[name] = map[string]any{"value": value, "confidence": 0.99}
	}
	for name, value := range p.decide {
		if _, whole := value.(map[string]any); !whole {
			value = map[string]any{"value": value, "confidence": 0.99}
		}
		fields[name] = value
	}
	data, _ := json.Marshal(fields)
	if p.undecided {
		p.act(p.t, "ai", "text=DECIDE say I cannot decide this")
	} else {
		p.act(p.t, "ai", "text=DECIDE fit say "+string(data))
	}
	for i := len(p.models) - 1; i >= 0; i-- {
		answer := map[string]any{
			"reply": p.models[i], "language": "uz", "action": "ANSWER", "used_offer_ids": []any{}, "used_chunk_ids": []any{}, "proposed_stage": "",
			"asks_question": false, "handoff": map[string]any{"needed": false, "trigger": "", "reason": ""}, "facts": []any{}, "no_reply": false,
		}
		if strings.HasPrefix(p.models[i], "{") {
			answer["reply"] = ""
			maps.Copy(answer, p.object(strings.ReplaceAll(p.models[i], "{answer}", p.answer)))
		}
		data, _ := json.Marshal(answer)
		now, times := "", "times=1 "
		if i == 0 {
			now = pace
		}
		if p.always {
			times = ""
		}
		p.act(p.t, "ai", "text=REPLY "+times+now+"say "+string(data))
	}
	p.decide, p.undecided, p.models = nil, false, nil
}

// settled lets what is due be done, and what waits for the delay of a reply be sent.
func (p *conversationPlay) settled() {
	p.act(p.t, "settle", "")
	p.act(p.t, "advance", "3s")
	p.act(p.t, "settle", "")
}

// turn lets the customer write, and the turn take its course until the reply is sent. during is
// done while the answer is made, before while it waits to be sent.
func (p *conversationPlay) turn(burst []string, during, before string) {
	pace := ""
	switch {
	case strings.HasPrefix(during, "["):
		pace = "slow 1500ms "
	case during != "":
		pace = "slow 700ms "
	}
	p.script(pace)
	for _, text := range burst {
		p.says(text)
	}
	p.act(p.t, "settle", "")
	if p.id == "" {
		p.id = p.api.Do("GET /ai/conversations?q="+p.person, nil).Want(200).String("data.0.id")
	}
	p.act(p.t, "advance", "8s")
	if during != "" {
		p.act(p.t, "setting", "{}") // whoever sleeps looks at the clock
		storetest.Eventually(p.t, "the turn does not begin", func() bool {
			return p.api.Do("GET /ai/executions?status=RUNNING&conversation_id="+p.id, nil).Want(200).Int("total") > 0
		})
		p.does(during)
	}
	if before != "" {
		p.act(p.t, "settle", "")
		p.does(before)
	}
	for range 3 {
		p.act(p.t, "settle", "")
		p.act(p.t, "advance", "4s")
	}
	p.act(p.t, "settle", "")
}

func (p *conversationPlay) says(text string) {
	if text == "[photo]" {
		p.act(p.t, "messenger", "now @"+p.person+" sends photo to "+shopPhone)
		return
	}
	p.act(p.t, "messenger", fmt.Sprintf("now @%s says %q to %s", p.person, text, shopPhone))
}
