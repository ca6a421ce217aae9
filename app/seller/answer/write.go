package answer

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"svc/ai/check"
	"svc/ai/decide"
	"svc/ai/ground"
	"svc/ai/signals"
	"svc/app/business"
	"svc/app/business/hours"
	"svc/app/engine/execution"
	"svc/geo/text/script"
)

// write asks for the words, checks them, asks once more where a validator refused, and says
// what may happen with them.
func (r *run) write() {
	o, s := r.out, r.s
	if !r.retrieve() {
		return
	}
	strict := slices.Contains(s.Settings.Strict, o.Scenario)
	var answers []Hit
	if strict {
		var err error
		if answers, err = s.Knowledge.Answers(r.ctx, s.Org, s.Business.ID, maxAnswers); err != nil {
			o.Err = err
			return
		}
	}
	question := strings.Join(append(s.texts(Customer), r.burst), " ")
	p := newPrompt(s, o.Tongue, o.Scenario, s.chooseOffers(question), o.Knowledge, answers)
	p.times, p.stated = r.days(), r.stated
	var trouble []Trouble
	for range 2 {
		w, err := r.askReply(p, trouble)
		if err != nil {
			o.Err = err
			return
		}
		if r.ends(&w) {
			return
		}
		reply := w.Reply
		if o.Verbatim = false; strict {
			if chosen := approved(answers, &w); chosen != "" {
				reply, o.Verbatim = chosen, true
			}
		}
		text := r.whole(reply)
		if trouble = r.check(p, &w, text); len(trouble) == 0 {
			r.accept(&w, text)
			return
		}
	}
	o.Action, o.Reply, o.Wish = execution.Block, "", nil
	r.missed(nil)
	for _, t := range trouble {
		o.Codes = append(o.Codes, string(t.Code))
	}
}

// retrieve finds what the business knows about the question. It says whether to go on.
func (r *run) retrieve() bool {
	o, s := r.out, r.s
	if o.Decision.Of(decide.Intent) == decide.Greeting && r.enough {
		return true
	}
	begun := time.Now()
	hits, err := s.Knowledge.Find(r.ctx, r.work, Wanted{
		Org: s.Org, Business: s.Business.ID, Question: r.question(), Language: string(o.Tongue.Language), Limit: maxChunks, Characters: maxKnowledge,
	})
	n := execution.Step{Kind: execution.Knowledge, Begin: begun, Took: time.Since(begun)}
	if errors.Is(err, ErrNotSearched) {
		r.unsearched = true
		return true
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			o.Err = err
			return false
		}
		n.ErrorCode = "search_failed" // the offers may be enough
	}
	r.work.Note(n)
	o.Knowledge = hits
	return true
}

// question is what knowledge is searched for: the last messages, with the one before them
// where they say too little.
func (r *run) question() string {
	text := r.burst
	if len(words(text)) >= 3 {
		return text
	}
	for i := len(r.s.Messages) - r.s.Burst - 1; i >= 0; i-- {
		if m := r.s.Messages[i]; m.From == Customer && m.Text != "" {
			return m.Text + "\n" + text
		}
	}
	return text
}

// ends says whether an answer is none to check: the model wants a person, or nothing said.
func (r *run) ends(w *Written) bool {
	o, s := r.out, r.s
	switch {
	case w.Handoff.Needed:
		t := business.Trigger(w.Handoff.Trigger)
		if _, known := s.Settings.Rules[t]; !known {
			t = business.LowConfidence
		}
		if !s.Settings.HandsOver(t) {
			t = business.LowConfidence
		}
		o.hand(s.Level, Handoff{Trigger: t, Reason: cut(clean(w.Handoff.Reason), 300)})
		if t == business.LowConfidence {
			r.missed(nil)
		}
		return true
	case w.NoReply:
		o.Codes, o.Wish = []string{NoReply}, nil
		return true
	}
	return false
}

func cut(s string, runes int) string {
	if r := []rune(s); len(r) > runes {
		return string(r[:runes])
	}
	return s
}

// whole is the reply with what the service itself adds: that a machine writes, where the
// first message must say so, a notice, and the signature of the persona. Nothing stays nothing.
func (r *run) whole(reply string) string {
	s, t := r.s, r.out.Tongue
	if reply == "" {
		return ""
	}
	if s.Settings.DisclosureMode == "FIRST_MESSAGE" && !s.disclosed() {
		if d := t.In(s.Settings.Disclosure); d != "" && !strings.Contains(reply, d) {
			reply = sentence(d) + " " + reply
		}
	}
	for _, below := range []string{s.Notice, s.Signature()} {
		if below != "" {
			reply += "\n\n" + below
		}
	}
	return reply
}

// sentence is a text of the settings as one that others may follow.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:;,)") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// missed notes the question when nothing answered it: no part of the knowledge was about it,
// and the reply, if there is one, speaks of no offer and uses no part. Talk that asks for no
// fact is none, and what was not searched does not lack anything.
func (r *run) missed(w *Written) {
	o := r.out
	none := r.unsearched || o.Scenario == business.SmallTalk || o.Decision.Of(decide.Intent) == decide.Greeting || r.s.FollowUp
	if none || len(o.Knowledge) > 0 || w != nil && (len(w.Offers) > 0 || len(w.Chunks) > 0) {
		return
	}
	for i := len(r.s.Messages) - 1; i >= len(r.s.Messages)-r.s.Burst; i-- { // the newest that asks
		if text := r.s.Messages[i].Text; signals.Asks(text) {
			o.Missed = text
			return
		}
	}
}

// approved is the approved answer that a reply chose, "" for none.
func approved(answers []Hit, w *Written) string {
	for i := range answers {
		if slices.Contains(w.Chunks, answers[i].ID()) {
			return answers[i].Answer
		}
	}
	return ""
}

// check runs the validators over the final text, and answers what they refuse.
func (r *run) check(p *prompt, w *Written, text string) (trouble []Trouble) {
	begun := time.Now()
	results := check.Run(r.input(p, w, text))
	n := execution.Step{Kind: execution.Validate, Begin: begun, Took: time.Since(begun)}
	for _, x := range results {
		if !x.Passed {
			trouble = append(trouble, Trouble{x.Code, x.Detail, x.Span})
		}
	}
	if len(trouble) > 0 {
		n.ErrorCode = string(trouble[0].Code)
	}
	r.work.Note(n)
	r.out.Validators = results
	return trouble
}

func (r *run) input(p *prompt, w *Written, text string) check.Input {
	s := r.s
	in := check.Input{
		Reply: text, Action: w.Action, OfferIDs: w.Offers, ChunkIDs: w.Chunks, Sources: r.sources(p), ChannelLimit: s.MaxLength, ChannelUnit: s.Unit,
		Own: s.texts(Seller), Disclosed: s.disclosed(), CalendarConnected: s.Times != nil, Instructions: p.rules, Canary: s.Canary, Now: s.Now,
		Zone: s.Business.Location(), Appointment: r.appointment(), Signature: s.Signature(),
	}
	in.Settings = check.Settings{
		ProhibitedPhrases: s.Settings.ProhibitedPhrases, DisclosureMode: s.Settings.DisclosureMode, MaxQuestions: max(s.Communication.Questions, 1),
		Disclosure:      map[string]string{"uz": s.Settings.Disclosure.Uzbek, "ru": s.Settings.Disclosure.Russian, "en": s.Settings.Disclosure.English},
		DefaultLanguage: string(s.Business.DefaultLanguage), Script: string(s.Languages[r.out.Tongue.Language].Script),
		Glossary: s.terms(), Mixing: s.Languages[r.out.Tongue.Language].Mixing == "ALLOW",
	}
	if s.Settings.MaxCharacters != nil {
		in.Settings.MaxCharacters = *s.Settings.MaxCharacters
	}
	for _, l := range s.Business.Languages {
		in.Settings.Languages = append(in.Settings.Languages, string(l))
	}
	if _, st, ok := s.Funnel.Stage(s.Stage); ok {
		in.Stage.Allowed, in.Stage.Prohibited = names(st.Allowed), names(st.Prohibited)
		if s.FollowUp && len(in.Stage.Allowed) > 0 { // the settings allow it, and a stage can only prohibit it
			in.Stage.Allowed = append(in.Stage.Allowed, string(business.FollowUp))
		}
	}
	in.Stage.Proposed, in.Stage.Keys = w.Stage, r.stages()
	return in
}

func names(list []business.Action) (out []string) {
	for _, a := range list {
		out = append(out, string(a))
	}
	return out
}

// added are the sentences that the service itself adds to a reply: nobody invented what they
// say.
func (r *run) added() (out []ground.Own) {
	for _, text := range []string{r.out.Tongue.In(r.s.Settings.Disclosure), r.s.Notice, r.s.Signature()} {
		if text != "" {
			out = append(out, ground.Own{Text: text})
		}
	}
	return out
}

// own are the texts of the seller that the customer has, and what the service adds to this one.
func (r *run) own() []ground.Own {
	out := r.added()
	for _, m := range r.s.Messages {
		if m.From == Seller && m.Text != "" && m.Sent {
			out = append(out, ground.Own{Text: m.Text, At: m.At})
		}
	}
	return out
}

// sources are what a reply may say.
func (r *run) sources(p *prompt) ground.Sources {
	s := r.s
	out := ground.Sources{
		OwnSent: r.own(), CustomerText: s.texts(Customer), Burst: r.burst, Language: string(r.out.Tongue.Language), Now: s.Now, Zone: s.Business.Location(),
		Business: ground.Business{Name: s.Business.Name, Website: or(s.Business.Website), Text: strings.TrimSpace(or(s.Business.Description) + "\n" + or(s.Identity.Biography))},
	}
	for i := range p.offers {
		o := &p.offers[i]
		f := ground.Offer{
			ID: o.ID, Type: string(o.Type), Name: o.Name, Currency: or(o.Currency), Note: or(o.PriceNote), Delivery: or(o.Delivery), Description: or(o.Description),
			URL: or(o.URL), Availability: string(o.Availability), Changed: o.UpdatedAt,
		}
		if o.Price != nil {
			f.Price = o.Price.String()
		}
		if o.PriceMax != nil {
			f.PriceMax = o.PriceMax.String()
		}
		out.Offers = append(out.Offers, f)
	}
	for _, list := range [][]Hit{p.hits, p.answers} {
		for i := range list {
			out.Chunks = append(out.Chunks, ground.Chunk{ID: list[i].ID(), Text: list[i].Title + ". " + list[i].Text})
		}
	}
	out.Slots = r.slots()
	out.Business.Hours, out.Business.Exceptions = weekOf(&s.Business.Hours)
	return out
}

// weekOf are hours as facts are compared with them; nil: there are none.
func weekOf(w *hours.Week) (*[7][]ground.Hours, map[string][]ground.Hours) {
	days := [7][]hours.Span{w.Monday, w.Tuesday, w.Wednesday, w.Thursday, w.Friday, w.Saturday, w.Sunday}
	var out [7][]ground.Hours
	any := false
	for i, spans := range days {
		out[i] = minutes(spans)
		any = any || len(spans) > 0
	}
	exceptions := map[string][]ground.Hours{}
	for _, e := range w.Exceptions {
		exceptions[e.Date] = minutes(e.Hours)
	}
	if !any {
		return nil, exceptions
	}
	return &out, exceptions
}

func minutes(spans []hours.Span) (out []ground.Hours) {
	at := func(clock string) int {
		t, err := time.Parse("15:04", clock)
		if err != nil {
			return 24 * 60
		}
		return t.Hour()*60 + t.Minute()
	}
	for _, s := range spans {
		out = append(out, ground.Hours{Open: at(s.Open), Close: at(s.Close)})
	}
	return out
}

// accept takes a reply that passed, with what may happen with it.
func (r *run) accept(w *Written, text string) {
	o, s := r.out, r.s
	o.Reply, o.Offers, o.Does, o.Stage = text, w.Offers, w.Action, w.Stage
	r.missed(w)
	o.Action = o.May(&s.Settings, s.Level)
	o.Purchase = o.Decision.Of(decide.Intent) == decide.Purchase && len(w.Offers) > 0
	if s.FollowUp {
		o.Does = string(business.FollowUp)
	}
}

var picture = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\n]*\)`)

// tidy takes out of a reply what a customer must not get: pictures of Markdown, and signs
// that nobody sees.
func tidy(reply string) string {
	return strings.TrimSpace(clean(picture.ReplaceAllString(reply, "")))
}

// words are the words of a text, in the form in which writings are equal.
func words(text string) map[string]bool { return script.Keys(text, leastWord) }

// leastWord is how long a word is at least, in bytes of its key.
const leastWord = 3
