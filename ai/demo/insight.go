package demo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"svc/ai"
	"svc/ai/rank"
	"svc/ai/signals"
	"svc/geo/text/script"
)

// seen is what the demo model understands of the questions about conversations and boards.
type seen struct {
	Messages []struct {
		ID     string `json:"id"`
		Author string `json:"author"`
		Text   string `json:"text"`
	} `json:"messages"`
	Dimensions []struct {
		Key   string `json:"key"`
		Cases []struct {
			Key         string   `json:"key"`
			Name        string   `json:"name"`
			Description string   `json:"description"`
			Examples    []string `json:"examples"`
		} `json:"cases"`
	} `json:"dimensions"`
	Conversations []string `json:"conversations"`
	Topics        []struct {
		Kind  string `json:"kind"`
		Cases []struct {
			Key         string   `json:"key"`
			Name        string   `json:"name"`
			Description string   `json:"description"`
			Examples    []string `json:"examples"`
		} `json:"cases"`
	} `json:"topics"`
	Items []struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
		Text string `json:"text"`
	} `json:"items"`
	Metrics []figure `json:"metrics"`
}

type figure struct {
	Key, Label, Value, Previous, Change, Share string
}

// readTerms bounds the words of a text that are compared.
const readTerms = 400

// customer is what the customer wrote.
func (s *seen) customer() (text string) {
	for _, m := range s.Messages {
		if m.Author == "CUSTOMER" {
			text += m.Text + "\n"
		}
	}
	return text
}

// analyse chooses the cases whose words the customer used, and marks by what signals say.
func (s *seen) analyse(schema *ai.Schema) map[string]any {
	text := s.customer()
	about := signals.Read(text, nil)
	wants := about.Scenario == signals.Pricing || about.Scenario == signals.Availability || about.Scenario == signals.Booking
	marks := map[string]int{"satisfaction": 3, "sentiment": 3, "purchase_intent": 1, "urgency": 1, "trust": 2}
	flags := map[string]float64{"complaint": 0.1, "churn_risk": 0.1, "price_objection": 0.1, "competitor_mentioned": 0.05, "unanswered_question": 0.1}
	if about.Complaint {
		marks["satisfaction"], marks["sentiment"], marks["trust"] = 2, 2, 1
		flags["complaint"], flags["churn_risk"] = 0.9, 0.7
	}
	if wants {
		marks["purchase_intent"] = 3
	}
	if n := len(s.Messages); n > 0 && s.Messages[n-1].Author == "CUSTOMER" && strings.Contains(s.Messages[n-1].Text, "?") {
		flags["unanswered_question"] = 0.8
	}
	out := map[string]any{}
	for _, f := range schema.Root.Fields {
		if mark, ok := marks[f.Name]; ok {
			out[f.Name] = mark
		} else if p, ok := flags[f.Name]; ok {
			out[f.Name] = p
		}
	}
	terms := rank.Terms(text, readTerms)
	for _, d := range s.Dimensions {
		best, most := "UNCLEAR", 0
		for _, k := range d.Cases {
			n := 0
			for _, t := range rank.Terms(k.Name+" "+k.Description+" "+strings.Join(k.Examples, " "), readTerms) {
				if slices.Contains(terms, t) {
					n++
				}
			}
			if n > most {
				best, most = k.Key, n
			}
		}
		out[d.Key] = map[string]any{"case": best, "confidence": sureOfSilence}
	}
	out["summary"] = quote(strings.Fields(text))
	return out
}

// summarise says in sentences how the customer began and what they wrote last; without any
// words of theirs it says that.
func (s *seen) summarise(language string) map[string]any {
	first, last := "", ""
	for _, m := range s.Messages {
		words := strings.Fields(m.Text)
		if m.Author != "CUSTOMER" || len(words) == 0 {
			continue
		}
		last = strings.TrimRight(quote(words), ".!;,:")
		first = cmp.Or(first, last)
	}
	form, ok := summaries[language]
	if !ok {
		form = summaries["uz"]
	}
	switch {
	case first == "":
		return map[string]any{"summary": form.nothing}
	case first == last:
		return map[string]any{"summary": strings.ReplaceAll(form.first, "%", first)}
	}
	return map[string]any{"summary": strings.ReplaceAll(form.first, "%", first) + " " + strings.ReplaceAll(form.last, "%", last)}
}

// quotedWords and quotedBytes bound a quote of a summary: a text without spaces is one word.
const (
	quotedWords = 20
	quotedBytes = 500
)

// quote is what a text begins with.
func quote(words []string) string {
	s := strings.Join(words[:min(len(words), quotedWords)], " ")
	return strings.ToValidUTF8(s[:min(len(s), quotedBytes)], "")
}

// summaries are the sentences of a summary; % is what the customer wrote.
var summaries = map[string]struct{ first, last, nothing string }{
	"uz": {"Mijoz suhbatni shunday boshladi: «%».", "Oxirgi xabari: «%».", "Mijoz hali matn yozmagan."},
	"ru": {"Клиент начал разговор так: «%».", "Последнее сообщение: «%».", "Клиент ещё не писал текста."},
	"en": {"The customer began with: “%”.", "The last message: “%”.", "The customer has not written any text yet."},
}

// social judges posts and comments by what signals say and by the words of the topics.
func (s *seen) social() map[string]any {
	list := []map[string]any{}
	for _, it := range s.Items {
		about := signals.Read(it.Text, nil)
		mood, complaint, spam := 3, 0.1, 0.05
		if about.Complaint {
			mood, complaint = 2, 0.9
		}
		for _, w := range []string{"rahmat", "chiroyli", "спасибо", "красив", "thank", "lovely"} {
			if strings.Contains(strings.ToLower(it.Text), w) {
				mood = 5
			}
		}
		if strings.Contains(it.Text, "://") {
			spam = 0.9
		}
		question, interest := 0.1, 0.1
		if strings.Contains(it.Text, "?") {
			question = 0.9
		}
		if about.Scenario == signals.Pricing || about.Scenario == signals.Availability || about.Scenario == signals.Booking {
			interest = 0.8
		}
		best, most := "UNCLEAR", 0
		terms := rank.Terms(it.Text, readTerms)
		for _, t := range s.Topics {
			for _, k := range t.Cases {
				n := 0
				for _, x := range rank.Terms(k.Name+" "+k.Description+" "+strings.Join(k.Examples, " "), readTerms) {
					if slices.Contains(terms, x) {
						n++
					}
				}
				if t.Kind == it.Kind && n > most {
					best, most = k.Key, n
				}
			}
		}
		list = append(list, map[string]any{
			"id": it.ID, "topic": best, "confidence": sureOfSilence, "sentiment": mood, "question": question, "complaint": complaint, "purchase_interest": interest, "spam": spam,
		})
	}
	return map[string]any{"items": list}
}

// explain points to the first message of the customer.
func (s *seen) explain(language string) map[string]any {
	said := map[string]string{
		"uz": "Namuna izoh: mijozning bu xabari shuni koʻrsatadi.", "ru": "Пример объяснения: об этом говорит это сообщение клиента.",
		"en": "A sample explanation: this message of the customer says so.",
	}
	ids := []string{}
	for _, m := range s.Messages {
		if m.Author == "CUSTOMER" && len(ids) == 0 {
			ids = append(ids, m.ID)
		}
	}
	return map[string]any{"text": cmp.Or(said[language], said["en"]), "message_ids": ids}
}

// nameCase names a group by the word that most of its conversations have.
func (s *seen) nameCase() map[string]any {
	in := map[string]int{}
	for _, text := range s.Conversations {
		once := map[string]bool{}
		for _, w := range script.Words(text) {
			if written := strings.ToLower(text[w.Start:w.End]); len([]rune(written)) >= 4 && !once[written] && len(rank.Terms(written, 1)) > 0 {
				once[written] = true
				in[written]++
			}
		}
	}
	words := slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(in[b]-in[a], cmp.Compare(a, b)) })
	word := "demo"
	if len(words) > 0 {
		word = words[0]
	}
	example := []string{}
	if len(s.Conversations) > 0 {
		example = append(example, s.Conversations[0])
	}
	return map[string]any{
		"key": script.Key(script.Tokens(word)[0]), "name_uz": "Mavzu: " + word, "name_ru": "Тема: " + word, "name_en": "Topic: " + word,
		"description": "Conversations in which customers speak of " + word + ".", "examples": example,
	}
}

// boardSummary writes the figures of a board as sentences.
func (s *seen) boardSummary(language string) map[string]any {
	w, ok := boardSentences[language]
	if !ok {
		w = boardSentences["en"]
	}
	headline := w.headline
	var lines, facts, named []string
	for _, m := range s.Metrics {
		if m.Share != "" {
			continue
		}
		line := m.Label + ": " + m.Value + "."
		if m.Previous != "" && m.Change != "SAME" {
			line = strings.NewReplacer("{label}", m.Label, "{from}", m.Previous, "{to}", m.Value).Replace(map[string]string{"UP": w.up, "DOWN": w.down}[m.Change])
		}
		lines, facts = append(lines, line), append(facts, m.Key)
	}
	paragraphs := []map[string]any{}
	if len(lines) > 0 {
		paragraphs = append(paragraphs, map[string]any{"text": strings.Join(lines, " "), "facts": facts})
	}
	for _, m := range s.Metrics {
		if m.Share != "" {
			named = append(named, m.Key)
			paragraphs = append(paragraphs, map[string]any{"text": strings.NewReplacer("{label}", m.Label, "{to}", m.Value).Replace(w.most), "facts": named})
			break
		}
	}
	return map[string]any{"headline": headline, "paragraphs": paragraphs, "actions": []string{w.action}}
}

// boardSentences are those of the demo model about boards.
var boardSentences = map[string]struct{ headline, up, down, most, action string }{
	"uz": {"Tanlangan davr haqida namuna hisobot", "{label}: {from} dan {to} gacha oshdi.", "{label}: {from} dan {to} gacha kamaydi.",
		"Eng koʻp uchragan holat — {label}: {to} ta.", "Raqamlar ortida nima borligini koʻrib chiqing."},
	"ru": {"Пример отчёта за выбранный период", "{label}: рост с {from} до {to}.", "{label}: снижение с {from} до {to}.",
		"Чаще всего встречается случай «{label}»: {to}.", "Посмотрите, что стоит за этими цифрами."},
	"en": {"A sample report on the chosen period", "{label} rose from {from} to {to}.", "{label} fell from {from} to {to}.",
		"The most common case is {label}: {to}.", "Look at what lies behind these figures."},
}
