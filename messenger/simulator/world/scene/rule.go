package scene

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/messenger/simulator/world/record"
)

// Life is people who write to an account by themselves, one after the other, in turn in
// several languages, and do everything that people do in a chat.
type Life struct {
	Number    string
	Prefix    string // of the usernames
	From, To  int
	Languages []string
	Every     time.Duration
}

// lifeLanguages are those that people of a life write in.
var lifeLanguages = []string{"uz", "ru", "en"}

// lifeLine reads: life of NUMBER from PREFIX 1..200 in uz,ru,en every 2s.
func lifeLine(w Platform, v *words) (err error) {
	l := Life{}
	if !v.take("of") {
		return fmt.Errorf("the word of is missing before the account")
	}
	if l.Number, err = v.next("the account"); err == nil {
		l.Number, err = record.NormalNumber(l.Number)
	}
	if err != nil {
		return err
	}
	if !v.take("from") {
		return fmt.Errorf("the word from is missing before the people")
	}
	if l.Prefix, err = v.next("the beginning of the usernames"); err != nil {
		return err
	}
	l.Prefix = strings.TrimPrefix(l.Prefix, "@")
	if l.From, l.To, err = v.span(); err != nil {
		return err
	}
	l.Languages = lifeLanguages
	if v.take("in") {
		said, err := v.next("the languages")
		if err != nil {
			return err
		}
		l.Languages = strings.Split(said, ",")
		if slices.ContainsFunc(l.Languages, func(s string) bool { return !slices.Contains(lifeLanguages, s) }) {
			return fmt.Errorf("the languages are uz, ru and en, written like uz,ru, not %q", said)
		}
	}
	if !v.take("every") {
		return fmt.Errorf("the word every is missing before the time between two messages")
	}
	if l.Every, err = v.duration(); err != nil {
		return err
	}
	if l.Every < time.Millisecond {
		return fmt.Errorf("at least 1ms lies between two messages")
	}
	w.Live(l)
	return nil
}

// When says at which of the counted requests of an account a rule acts.
type When uint8

// The moments of a rule.
const (
	At    When = iota + 1 // at the n-th
	After                 // at each one after n
	Every                 // at every n-th
)

// Counted is what a rule counts.
type Counted uint8

// What is counted: messages that are tried, usernames and address books that are asked for, pages of
// chats and of messages.
const (
	Sends Counted = iota + 1
	Resolves
	Books
	Parts // of files, that are asked for
	Dialogs
	Histories

	CountedKinds // how many there are, and one
)

// CountedWords name what is counted in a script.
var CountedWords = map[string]Counted{
	"sends": Sends, "send": Sends, "resolves": Resolves, "resolve": Resolves, "books": Books, "book": Books,
	"parts": Parts, "part": Parts, "dialogs": Dialogs, "histories": Histories, "history": Histories,
}

// Rule is one line of a script that waits for its moment. Requests are counted for each
// account by itself.
type Rule struct {
	When   When
	N      int
	What   Counted
	Number string // of the account, "" for every one
	Does   Effect
}

// Acts says whether a rule acts on the n-th request of a kind by an account.
func (r *Rule) Acts(what Counted, number string, n int) bool {
	switch {
	case r.What != what || r.Number != "" && r.Number != number:
		return false
	case r.When == After && r.Does.lasting():
		return n == r.N+1
	case r.When == After:
		return n > r.N
	case r.When == Every:
		return n%r.N == 0
	}
	return n == r.N
}

// Effect is what a scene does to an account or to one request.
type Effect struct {
	Seconds  int    // of a flood
	Sends    int    // answered with it, 0 for as long as it lasts
	Premium  bool   // FLOOD_PREMIUM_WAIT
	Restrict string // answer to every message from now on
	Ban      string // answer to every request from now on
	Revoke   string // how the sessions end
	Forget   bool   // the keys
	Fail     string // answer to this request
	Expire   bool   // every reference to a file expires
	Fate     Fate
	Lost     bool // the message is not taken
}

// lasting effects act once: what they change stays.
func (e *Effect) lasting() bool {
	return e.Seconds > 0 || e.Restrict != "" || e.Ban != "" || e.Revoke != "" || e.Forget
}

// Loss is what happens to an answer.
type Loss uint8

// The losses.
const (
	Answered   Loss = iota
	Dropped         // the connection ends instead
	Unanswered      // the request is acknowledged and never answered
)

// Fate is what a scene does to the answer of a request.
type Fate struct {
	Delay time.Duration
	Loss  Loss
}
