package sim

import (
	"maps"
	"slices"
	"strings"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/calendar"
)

// State is the world as pages and tests see it.
type State struct {
	Accounts   []AccountState `json:"accounts"`
	Calls      map[string]int `json:"calls"`
	Unmodelled map[string]int `json:"unmodelled"`
	Pending    int            `json:"pending_webhooks"`
	Calendar   calendar.State `json:"calendar"`
}

// AccountState is one account of the world.
type AccountState struct {
	Network    platform.Name `json:"network"`
	Username   string        `json:"username"`
	Name       string        `json:"name"`
	ID         string        `json:"id"`
	Subscribed []string      `json:"subscribed_fields"`
	Threads    []ThreadState `json:"threads"`
	Comments   []CommentOf   `json:"comments"`
	Waiting    int           `json:"waiting_webhooks"`
}

// ThreadState is a thread of an account.
type ThreadState struct {
	Person   string    `json:"person"`
	PersonID string    `json:"person_id"`
	Messages []message `json:"messages"`
}

// CommentOf is a comment below a post of an account.
type CommentOf struct {
	ID       string `json:"id"`
	Post     string `json:"post"`
	From     string `json:"from"`
	Text     string `json:"text"`
	Answered bool   `json:"answered_in_private"`
	Parent   string `json:"parent,omitempty"`
}

// State is the world now.
func (s *Simulator) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := State{Accounts: []AccountState{}, Calls: map[string]int{}, Unmodelled: map[string]int{}, Pending: s.pending}
	for k, v := range s.calls {
		out.Calls[k] = v
	}
	for k, v := range s.missing {
		out.Unmodelled[k] = v
	}
	out.Calendar = s.Calendar.State()
	maps.Copy(out.Unmodelled, out.Calendar.Unmodelled)
	for _, a := range s.accounts {
		x := AccountState{
			Network: a.network, Username: a.username, Name: a.name, ID: a.id, Subscribed: slices.Clone(a.fields), Threads: []ThreadState{},
			Comments: []CommentOf{}, Waiting: len(a.queue),
		}
		for id, t := range a.threads {
			ts := ThreadState{Person: t.person.username, PersonID: id, Messages: []message{}}
			for _, m := range t.messages {
				ts.Messages = append(ts.Messages, *m)
			}
			x.Threads = append(x.Threads, ts)
		}
		slices.SortFunc(x.Threads, func(a, b ThreadState) int { return strings.Compare(a.Person, b.Person) })
		for _, p := range a.posts {
			for _, c := range p.Comments {
				from := a.username
				if c.From != nil {
					from = c.From.username
				}
				x.Comments = append(x.Comments, CommentOf{ID: c.ID, Post: p.ID, From: from, Text: c.Text, Answered: c.Answered, Parent: c.Parent})
			}
		}
		out.Accounts = append(out.Accounts, x)
	}
	return out
}

// Sent are the texts that an account sent to a person, the oldest first.
func (s *Simulator) Sent(network platform.Name, username, to string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(network, username)
	if a == nil {
		return nil
	}
	for _, t := range a.threads {
		if t.person.username != to {
			continue
		}
		for _, m := range t.messages {
			if m.Out && m.App != "" {
				out = append(out, m.Text)
			}
		}
	}
	return out
}
