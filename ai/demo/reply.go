package demo

import (
	"encoding/json"
	"fmt"
	"strings"

	"svc/ai/signals"
	"svc/geo/text/script"
)

// wanted is what the demo model understands of a question of the task REPLY.
type wanted struct {
	Language   string `json:"language"`
	Scenario   string `json:"scenario"`
	Disclosure string `json:"disclosure"`
	Business   struct {
		Name string `json:"name"`
	} `json:"business"`
	Offers    []offer `json:"offers"`
	Knowledge []struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	} `json:"knowledge"`
	Approved []struct {
		ID       string `json:"id"`
		Question string `json:"question"`
		Answer   string `json:"answer"`
	} `json:"approved_answers"`
	Messages []said `json:"messages"`
	AnswerTo int    `json:"answer_to"`
	FollowUp bool   `json:"follow_up"`
	Trouble  []any  `json:"first_try_was_wrong"`
	// Times are free, Appointment is what is to be said of one.
	Times       []freeDay    `json:"free_times"`
	Appointment *appointment `json:"appointment"`
}

type offer struct {
	ID           string      `json:"id"`
	Name         string      `json:"name"`
	Price        json.Number `json:"price"`
	PriceMax     json.Number `json:"price_max"`
	Currency     string      `json:"currency"`
	Availability string      `json:"availability"`
	Delivery     string      `json:"delivery"`
}

// phrases are the sentences of the demo model in one language. %s are its words from the data.
type phrases struct {
	greeting, price, priceRange, available, preorder, outOfStock, delivery, colleague, followUp string
}

var inLanguage = map[string]phrases{
	"uz": {
		"Assalomu alaykum! Sizga qanday yordam bera olaman?", "«%s» narxi %s.", "«%s» narxi %s dan %s gacha.", "«%s» mavjud.", "«%s» buyurtma asosida.",
		"«%s» hozircha yoʻq.", "«%s» boʻyicha yetkazib berish: %s.", "Savolingizni hamkasbimga yetkazaman.", "Savollaringiz qolgan boʻlsa, bemalol yozing.",
	},
	"ru": {
		"Здравствуйте! Чем могу помочь?", "«%s» стоит %s.", "«%s» стоит от %s до %s.", "«%s» есть в наличии.", "«%s» под заказ.", "«%s» сейчас нет в наличии.",
		"Доставка «%s»: %s.", "Передам ваш вопрос коллеге.", "Если остались вопросы, напишите.",
	},
	"en": {
		"Hello! How can I help you?", "“%s” costs %s.", "“%s” costs %s to %s.", "“%s” is in stock.", "“%s” is made to order.", "“%s” is out of stock now.",
		"Delivery of “%s”: %s.", "I will pass your question to a colleague.", "If you still have questions, just write.",
	},
}

// currencies are how sums are written, by language; others by their code.
var currencies = map[string]map[string]string{
	"UZS": {"uz": "soʻm", "ru": "сум", "en": "soum"}, "USD": {"uz": "dollar", "ru": "долларов", "en": "dollars"}, "RUB": {"uz": "rubl", "ru": "рублей", "en": "roubles"},
}

// reply answers from the offers and the knowledge that it was given, and from nothing else.
func (q *wanted) reply() map[string]any {
	language := q.Language
	if strings.HasPrefix(language, "uz") {
		language = "uz"
	}
	ph, ok := inLanguage[language]
	if !ok {
		language, ph = "en", inLanguage["en"]
	}
	asked := burst(q.Messages, q.AnswerTo)
	out := map[string]any{
		"reply": "", "language": language, "action": "ANSWER", "used_offer_ids": []string{}, "used_chunk_ids": []string{}, "proposed_stage": "",
		"asks_question": false, "handoff": map[string]any{"needed": false, "trigger": "", "reason": ""}, "facts": []any{}, "no_reply": false,
	}
	text := q.words(asked, language, ph, out)
	if text == "" || len(q.Trouble) > 0 {
		out["reply"], out["action"] = ph.colleague, "HANDOFF"
		out["handoff"] = map[string]any{"needed": true, "trigger": "LOW_CONFIDENCE", "reason": "Nothing that the demo model was given answers the question."}
		return out
	}
	if q.Language == "uz-Cyrl" {
		text = script.ToCyrillic(text)
	}
	out["reply"] = text
	return out
}

// words are what is answered, in Latin letters for Uzbek; "" for nothing.
func (q *wanted) words(asked, language string, ph phrases, out map[string]any) string {
	s := signals.Read(asked, nil)
	switch {
	case q.FollowUp:
		out["action"] = "FOLLOW_UP"
		return ph.followUp
	case s.AsksAI:
		return q.Disclosure
	case s.Greeting:
		out["action"], out["asks_question"] = "GREET", true
		return ph.greeting
	case len(q.Approved) > 0:
		return q.approved(asked, out)
	}
	if text := q.times(language, out); text != "" {
		return text
	}
	return q.questions(asked, language, ph, out)
}

// answer says of an offer what is asked; "" where it says nothing of that.
func (o *offer) answer(scenario, language string, ph phrases, out map[string]any) string {
	stock := map[string]string{"AVAILABLE": ph.available, "PREORDER": ph.preorder, "OUT_OF_STOCK": ph.outOfStock}[o.Availability]
	switch {
	case scenario == string(signals.Delivery) && o.Delivery != "":
		return fmt.Sprintf(ph.delivery, o.Name, strings.TrimRight(o.Delivery, ". "))
	case scenario == string(signals.Delivery):
		return ""
	case scenario == string(signals.Availability) && stock != "":
		return fmt.Sprintf(stock, o.Name)
	case o.Price == "":
		return ""
	case o.PriceMax != "":
		out["action"] = "QUOTE_PRICE"
		return fmt.Sprintf(ph.priceRange, o.Name, sum(o.Price, "", language), sum(o.PriceMax, o.Currency, language))
	}
	out["action"] = "QUOTE_PRICE"
	return fmt.Sprintf(ph.price, o.Name, sum(o.Price, o.Currency, language))
}

// sum writes an amount with groups of thousands.
func sum(n json.Number, currency, language string) string {
	whole, rest, _ := strings.Cut(string(n), ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	if rest != "" {
		b.WriteString("." + rest)
	}
	if name := currencies[currency][language]; name != "" {
		currency = name
	}
	return strings.TrimSpace(b.String() + " " + currency)
}

// about is the offer whose name shares the most words with a question; nil: none does. A
// single offer is what a question is about that names nothing.
func (q *wanted) about(asked string) (best *offer) {
	said, most := keys(asked), 0
	for i := range q.Offers {
		if n := shared(said, keys(q.Offers[i].Name)); n > most {
			best, most = &q.Offers[i], n
		}
	}
	if best == nil && len(q.Offers) == 1 && len(content(asked)) == 0 && q.Scenario != string(signals.FAQ) && q.Scenario != string(signals.Other) {
		best = &q.Offers[0]
	}
	return best
}

// approved chooses the approved answer whose question is the nearest.
func (q *wanted) approved(asked string, out map[string]any) string {
	said, most, at := keys(asked), 0, -1
	for i := range q.Approved {
		if n := shared(said, keys(q.Approved[i].Question)); n > most {
			at, most = i, n
		}
	}
	if at < 0 {
		return ""
	}
	out["used_chunk_ids"] = []string{q.Approved[at].ID}
	return q.Approved[at].Answer
}

// keys are the words of a text in the form in which writings are equal, cut to their stems:
// the first letters.
func keys(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range script.Tokens(text) {
		if k := script.Key(w); len(k) > 2 {
			out[k[:min(len(k), stem)]] = true
		}
	}
	return out
}

// stem is how many letters of a word tell it from others.
const stem = 5
