package demo

import (
	"slices"
	"strings"

	"svc/ai/signals"
)

// mostAnswers is how many questions of a burst are answered in one reply.
const mostAnswers = 4

// questions answers each question of a burst, every answer once; "" where none has an answer.
func (q *wanted) questions(asked, language string, ph phrases, out map[string]any) string {
	var answers []string
	offers, chunks := []string{}, []string{}
	add := func(text string, ids *[]string, id string) {
		if text == "" || slices.Contains(answers, text) {
			return
		}
		if answers = append(answers, text); !slices.Contains(*ids, id) {
			*ids = append(*ids, id)
		}
	}
	var subject *offer // of the questions before
	for _, question := range split(asked) {
		if len(answers) == mostAnswers {
			break
		}
		scenario := q.Scenario
		if own := signals.Read(question, nil).Scenario; own != "" && own != signals.Other {
			scenario = string(own)
		}
		o, bare := q.about(question), len(content(question)) == 0
		if o == nil && bare && ofGoods(scenario) {
			o = subject // "and how much is it?"
		} else if o == nil && bare && !signals.Asks(question) {
			continue // a greeting before the question
		}
		if o != nil {
			subject = o
			if text := o.answer(scenario, language, ph, out); text != "" {
				add(text, &offers, o.ID)
				continue
			}
		}
		id, text := q.known(question, scenario)
		add(text, &chunks, id)
	}
	out["used_offer_ids"], out["used_chunk_ids"] = offers, chunks
	return strings.Join(answers, " ")
}

// split takes a burst apart: its lines, and the questions of a line.
func split(asked string) (out []string) {
	for line := range strings.Lines(asked) {
		for part := range strings.SplitAfterSeq(line, "?") {
			if part = strings.TrimSpace(part); len(keys(part)) > 0 {
				out = append(out, part)
			}
		}
	}
	return out
}

// ofGoods says whether a scenario is about goods and not about the business.
func ofGoods(scenario string) bool {
	switch signals.Scenario(scenario) {
	case signals.Pricing, signals.Availability, signals.Delivery:
		return true
	}
	return false
}

// known is what the knowledge says to a question, with the id of the part: the sentence that
// shares the most words with it. What is asked of goods is answered only where they are named.
func (q *wanted) known(question, scenario string) (id, text string) {
	said, goods := keys(question), content(question)
	strict := scenario == string(signals.Pricing) || scenario == string(signals.Availability)
	best := -1
	for i := range q.Knowledge {
		for _, s := range sentences(tidy(q.Knowledge[i].Text)) {
			has := keys(s)
			if strict && len(goods) > 0 && shared(goods, has) == 0 && shared(goods, keys(q.Knowledge[i].Text)) == 0 {
				continue
			}
			if n := shared(said, has) + shared(goods, has); n > best {
				best, id, text = n, q.Knowledge[i].ID, s
			}
		}
	}
	return id, text
}

func shared(a, b map[string]bool) (n int) {
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// content are the words of a question that name something, in the form of keys: without those
// with which one asks.
func content(question string) map[string]bool {
	out := keys(question)
	for k := range asking {
		delete(out, k)
	}
	return out
}

var asking = keys(`narxi narxlari qancha qanchadan necha nechi nechpul turadi tushadi bo'ladi bormi mavjudmi bor qolganmi kerak qanday qayerda qachon qaysi nima iltimos salom assalomu alaykum menga
	bizga sizda sizlarda uchun yana ham agar mumkinmi olmoqchiman sotib olsam pul so'm
	цена цены сколько стоит стоят стоимость почем есть наличии имеется нужен нужна нужно какая какой какие где когда что это как можно здравствуйте привет подскажите пожалуйста вас мне для или еще
	price prices cost costs how much many what which where when have you your the and for are there any available stock need want please hello does can buy get`)
