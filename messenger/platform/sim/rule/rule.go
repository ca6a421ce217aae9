// Package rule is the scenes that wait for their moment: "at 5 sends error 613", "every 20 sends
// of @demo_studio drop answer". Each account counts by itself. Not safe for concurrent use: the
// world that has the rules guards them.
package rule

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrForm says that a line is no rule.
var ErrForm = errors.New("there is no such scene")

// Action is what a rule does; the zero action is nothing.
type Action struct {
	// Name is the action as it is written, without its number.
	Name string
	// Wait is that of slow and late.
	Wait time.Duration
	// Number is the size of a batch, or the status of HTTP.
	Number int
	// Code and Sub are those of an error of the network.
	Code, Sub int
}

// Account is who counts: usernames are unique in a network.
type Account struct {
	Network, Username string
}

// Rules are the rules of a world and what was counted since. The zero value has none.
type Rules struct {
	list   []rule
	counts map[counted]int
}

type rule struct {
	when    string // at, every, after
	n       int
	what    string // sends, echoes, webhooks, refreshes, private, calls
	account string // username, "": each
	act     Action
}

type counted struct {
	who  Account
	what string
}

// Add reads a rule from the words of its line. Counting begins anew with each rule.
func (r *Rules) Add(words []string) error {
	if len(words) < 4 {
		return ErrForm
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 {
		return ErrForm
	}
	next := rule{when: words[0], n: n, what: words[2]}
	rest := words[3:]
	if len(rest) > 2 && rest[0] == "of" {
		next.account, rest = strings.TrimPrefix(rest[1], "@"), rest[2:]
	}
	if next.act, err = actionOf(rest); err != nil {
		return err
	}
	r.list = append(r.list, next)
	for k := range r.counts {
		if k.what == next.what {
			delete(r.counts, k)
		}
	}
	return nil
}

func actionOf(w []string) (out Action, err error) {
	out.Name = strings.Join(w, " ")
	switch {
	case len(w) == 2 && w[0] == "error":
		code, sub, _ := strings.Cut(w[1], "/")
		out.Name = "error"
		out.Code, err = strconv.Atoi(code)
		if err == nil && sub != "" {
			out.Sub, err = strconv.Atoi(sub)
		}
	case len(w) == 2 && (w[0] == "slow" || w[0] == "late"):
		out.Name = w[0]
		out.Wait, err = time.ParseDuration(w[1])
	case len(w) == 2 && (w[0] == "batch" || w[0] == "status"):
		out.Name = w[0]
		out.Number, err = strconv.Atoi(w[1])
	}
	return out, err
}

// Fires counts what an account does and says what the last rule that fits makes of it.
func (r *Rules) Fires(who Account, what string) (out Action) {
	if r.counts == nil {
		r.counts = map[counted]int{}
	}
	key := counted{who, what}
	r.counts[key]++
	n := r.counts[key]
	for _, x := range r.list {
		if x.what != what || x.account != "" && x.account != who.Username {
			continue
		}
		if x.when == "at" && n == x.n || x.when == "every" && n%x.n == 0 || x.when == "after" && n > x.n {
			out = x.act
		}
	}
	return out
}
