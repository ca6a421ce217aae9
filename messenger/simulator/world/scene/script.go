package scene

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/messenger/simulator/world/record"
)

// Run sets scenes from text, one a line. What stands after # is a comment, a word
// with blanks stands in quotation marks. Rules count the messages (or the usernames,
// or the address books, asked for) that each account tries, those that were refused
// included.
//
//	phone +998901112233 code 54321 password "two words" hint pet
//	phone +998901112244 type sms | refuses PHONE_NUMBER_BANNED | unregistered | code-life 1s | id 7 | username ali | premium | dc 4
//	person @ali id 42 name "Ali Valiyev" contact-of +998901112233
//	person @ali blocks | private | deleted | bot | paid | premium-only | no-writing | refuses NAME | takes
//	person @ali reads after 2s | says "stop" after 3s | sends voice after 4s | reacts 👍 after 5s
//	person @ali edits "men emas" after 6s | deletes after 7s | quiet | reassigned to 777
//	people user_ 1..1000 id 5000000
//	at 3 sends of +998901112233 flood 30
//	at 3 sends flood 30 for 2 sends
//	after 100 sends of +998901112233 restrict PEER_FLOOD
//	every 50 sends drop | drop-before | ack-only | ack-lost | delay 200ms | fail INTERNAL
//	at 5 resolves flood 60 | fail USERNAME_NOT_OCCUPIED
//	at 1 books fail FLOOD_WAIT_60
//	at 2 parts expire | at 3 parts fail FLOOD_WAIT_5 | at 1 dialogs flood 60 | every 5 histories fail FLOOD_WAIT_2
//	after 10 sends of +998901112233 ban USER_DEACTIVATED_BAN | freeze | revoke | forget
//	now +998901112233 flood 30 | restrict PEER_FLOOD | ban … | freeze | revoke | forget | lift | kick | lose 3
//	now @ali says "salom" to +998901112233
//	now +998901112233 types "men" to @ali
//	now @ali says "ha" to +998901112233 answering 12 forwarded "Vali"
//	now @ali sends photo of 300000 to +998901112233 saying "mana" named rasm.jpg
//	now @ali sends album 3 | place 41.31 69.24 | contact +998901112244 "Vali Karimov" to +998901112233
//	now @ali edits "yo'q" at +998901112233
//	now @ali deletes at +998901112233
//	now @ali reacts 👍 at +998901112233
//	now @ali reads +998901112233
//	now files expire
//	life of +998901112233 from user_ 1..200 in uz,ru,en every 2s
//
// What is sent is a photo, video, voice, audio, document, sticker, animation, video-note (of
// so many bytes), an album, a place (titled "Chorsu") or a contact. The owner of an account
// does all of it in the messenger's own app: now +998901112233 sends voice to @ali. Edited
// and deleted is the newest message of who does it, a reaction is to the newest of the other
// side. parts are those of files that clients ask for, dialogs and histories the pages of
// chats and messages; expire lets every reference to a file expire. In a life, people write
// first, one every so often, and do in turn everything that people do in a chat.
//
// A flood is premium with the word premium after its seconds. drop takes the message and
// ends the connection, drop-before does not take it; ack-only takes it, acknowledges and
// never answers, ack-lost does not take it. A rule without a number is for every account.
// Of a script with an error nothing after the error is done; the error names the line.
func Run(w Platform, text string) error {
	for n, line := range strings.Split(text, "\n") {
		words, err := split(line)
		if err == nil && len(words) > 0 {
			err = perform(w, &words)
			if err == nil && len(words) > 0 {
				err = fmt.Errorf("%q is not understood here", words[0])
			}
		}
		if err != nil {
			return fmt.Errorf("line %d of the script: %w", n+1, err)
		}
	}
	return nil
}

// split cuts a line into words.
func split(line string) (out []string, err error) {
	for {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			return out, nil
		case line[0] != '"':
			end := strings.IndexAny(line, " \t\r")
			if end < 0 {
				end = len(line)
			}
			out, line = append(out, line[:end]), line[end:]
			continue
		}
		q, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("the quotation mark before %q has no second one", line[1:])
		}
		word, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		out, line = append(out, word), line[len(q):]
	}
}

// words are what is left of a line.
type words []string

func (v *words) next(what string) (string, error) {
	if len(*v) == 0 {
		return "", fmt.Errorf("%s is missing at the end", what)
	}
	w := (*v)[0]
	*v = (*v)[1:]
	return w, nil
}

// take eats the next word when it is this one.
func (v *words) take(word string) bool {
	if len(*v) == 0 || (*v)[0] != word {
		return false
	}
	*v = (*v)[1:]
	return true
}

func (v *words) number(what string) (int, error) {
	w, err := v.next(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(w, "s"))
	if err != nil || n < 1 || n > 1<<30 {
		return 0, fmt.Errorf("%s is a whole number above 0, not %q", what, w)
	}
	return n, nil
}

func (v *words) id() (int64, error) {
	w, err := v.next("the id")
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(w, 10, 64)
	if err != nil || id < 1 || id >= 1<<40 {
		return 0, fmt.Errorf("an id is a whole number from 1 to %d, not %q", int64(1)<<40-1, w)
	}
	return id, nil
}

func (v *words) duration() (time.Duration, error) {
	w, err := v.next("the time")
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(w)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("a time is written like 200ms or 3s, not %q", w)
	}
	return d, nil
}

func perform(w Platform, v *[]string) error {
	rest := (*words)(v)
	verb, _ := rest.next("the first word")
	switch verb {
	case "phone":
		return phoneLine(w, rest)
	case "person":
		return personLine(w, rest)
	case "people":
		return peopleLine(w, rest)
	case "at":
		return ruleLine(w, At, rest)
	case "after":
		return ruleLine(w, After, rest)
	case "every":
		return ruleLine(w, Every, rest)
	case "now":
		return nowLine(w, rest)
	case "life":
		return lifeLine(w, rest)
	}
	return fmt.Errorf("a line begins with phone, person, people, life, at, after, every or now, not with %q", verb)
}

func ruleLine(w Platform, when When, v *words) (err error) {
	r := Rule{When: when}
	if r.N, err = v.number("the count"); err != nil {
		return err
	}
	word, _ := v.next("")
	if r.What = CountedWords[word]; r.What == 0 {
		return fmt.Errorf("what is counted is missing: sends, resolves, books, parts, dialogs or histories")
	}
	if v.take("of") {
		number, err := v.next("the account")
		if err != nil {
			return err
		}
		if r.Number, err = record.NormalNumber(number); err != nil {
			return err
		}
	}
	if r.Does, err = effectOf(v); err != nil {
		return err
	}
	w.AddRule(r)
	return nil
}

// effectOf reads what is done to an account or a request.
func effectOf(v *words) (e Effect, err error) {
	verb, err := v.next("what is done")
	if err != nil {
		return e, err
	}
	switch verb {
	case "flood":
		return floodOf(v)
	case "restrict":
		e.Restrict, err = v.next("the platform's word for it")
	case "ban":
		e.Ban, err = v.next("the platform's word for it")
	case "fail":
		e.Fail, err = v.next("the platform's error")
	case "freeze":
		e.Restrict = "FROZEN_METHOD_INVALID"
	case "revoke":
		e.Revoke = "AUTH_KEY_UNREGISTERED"
	case "forget":
		e.Forget = true
	case "expire":
		e.Expire = true
	case "drop":
		e.Fate.Loss = Dropped
	case "drop-before":
		e.Fate.Loss, e.Lost = Dropped, true
	case "ack-only":
		e.Fate.Loss = Unanswered
	case "ack-lost":
		e.Fate.Loss, e.Lost = Unanswered, true
	case "delay":
		e.Fate.Delay, err = v.duration()
	default:
		return e, fmt.Errorf("%q is nothing that can be done", verb)
	}
	return e, err
}

func floodOf(v *words) (e Effect, err error) {
	if e.Seconds, err = v.number("the seconds of the flood"); err != nil {
		return e, err
	}
	e.Premium = v.take("premium")
	if v.take("for") {
		if e.Sends, err = v.number("the count of messages"); err != nil {
			return e, err
		}
		if !v.take("sends") && !v.take("send") {
			return e, fmt.Errorf("the word sends is missing after the count")
		}
	}
	return e, nil
}
