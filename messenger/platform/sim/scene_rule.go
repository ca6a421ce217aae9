package sim

import (
	"strconv"
	"strings"
	"time"
)

// rule is a scene that waits for its moment.
type rule struct {
	when    string // at, every, after
	n       int
	what    string // sends, echoes, webhooks, refreshes, private
	account string // "": each
	act     action
}

// action is what a rule does.
type action struct {
	action    string
	wait      time.Duration
	number    int
	code, sub int
}

func (s *Simulator) sceneRule(w []string) error {
	if len(w) < 4 {
		return errScene
	}
	n, err := strconv.Atoi(w[1])
	if err != nil || n < 1 {
		return errScene
	}
	r := &rule{when: w[0], n: n, what: w[2]}
	rest := w[3:]
	if len(rest) > 2 && rest[0] == "of" {
		r.account, rest = strings.TrimPrefix(rest[1], "@"), rest[2:]
	}
	if r.act, err = actionOf(rest); err != nil {
		return err
	}
	s.rules = append(s.rules, r)
	for _, a := range s.accounts { // counting begins anew with each rule
		a.counts[r.what] = 0
	}
	return nil
}

func actionOf(w []string) (out action, err error) {
	out.action = strings.Join(w, " ")
	switch {
	case len(w) == 2 && w[0] == "error":
		code, sub, _ := strings.Cut(w[1], "/")
		out.action = "error"
		out.code, err = strconv.Atoi(code)
		if err == nil && sub != "" {
			out.sub, err = strconv.Atoi(sub)
		}
	case len(w) == 2 && (w[0] == "slow" || w[0] == "late"):
		out.action = w[0]
		out.wait, err = time.ParseDuration(w[1])
	case len(w) == 2 && (w[0] == "batch" || w[0] == "status"):
		out.action = w[0]
		out.number, err = strconv.Atoi(w[1])
	}
	return out, err
}

// fires counts what an account does and says what a rule makes of it. The lock is held.
func (s *Simulator) fires(a *account, what string) (out action) {
	a.counts[what]++
	n := a.counts[what]
	for _, r := range s.rules {
		if r.what != what || r.account != "" && r.account != a.username {
			continue
		}
		if r.when == "at" && n == r.n || r.when == "every" && n%r.n == 0 || r.when == "after" && n > r.n {
			out = r.act
		}
	}
	return out
}
