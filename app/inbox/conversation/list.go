package conversation

import (
	"strings"
	"time"

	geotext "svc/geo/text"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/store"
)

// Sort is the order of a list of conversations.
type Sort string

// The orders (contract 10.1).
const (
	ByRecent  Sort = "recent"
	ByUnread  Sort = "unread"
	ByWaiting Sort = "waiting"
	ByOldest  Sort = "oldest"
)

// Filter narrows a list; zero fields do not, but Personal: without it there are no personal
// chats.
type Filter struct {
	Channel     channel.Name
	Account     string
	Unread      *bool
	Waiting     *bool
	HasFiles    *bool
	Done        *bool
	Handoff     *bool
	Personal    bool
	AIState     AIState // Off too
	Assigned    string  // a person, or Nobody
	Stage       string
	LeadQuality string
	Q           string
}

// Nobody is the Assigned of conversations that nobody has.
const Nobody = nobody

// Mapped are the accounts for which the AI acts; nil: for none. Contract 22 says when it
// does not.
type Mapped []string

// Shown is the AI state as it is shown: the AI that does not act is OFF, whatever is kept.
func (c *Conversation) Shown(acting Mapped) AIState {
	if c.Personal || !acting.has(c.AccountID) {
		return Off
	}
	return c.AIState
}

func (a Mapped) has(account string) bool {
	for _, id := range a {
		if id == account {
			return true
		}
	}
	return false
}

// where are the conditions of a filter.
func (f *Filter) where(acting Mapped) []store.Cond[Conversation] {
	kind := flagOpen
	if f.Personal {
		kind = flagPersonal
	}
	where := []store.Cond[Conversation]{flagFacet.Any(kind)}
	only := func(facet *store.Facet[Conversation], value string) {
		if value != "" {
			where = append(where, facet.Any(value))
		}
	}
	flag := func(asked *bool, name string) {
		switch {
		case asked == nil:
		case *asked:
			where = append(where, flagFacet.Any(name))
		default:
			where = append(where, flagFacet.Any(name).Not())
		}
	}
	only(channelFacet, string(f.Channel))
	only(accountFacet, f.Account)
	only(assignedFacet, f.Assigned)
	only(stageFacet, f.Stage)
	only(qualityFacet, f.LeadQuality)
	flag(f.Unread, flagUnread)
	flag(f.Waiting, flagWaiting)
	flag(f.HasFiles, flagFiles)
	flag(f.Handoff, flagHandoff)
	flag(f.Done, flagDone)
	for _, word := range searched(f.Q) {
		where = append(where, byName.Where(store.HasPrefix(word)))
	}
	return append(where, f.inState(acting)...)
}

// inState are the conditions of the state as it is shown.
func (f *Filter) inState(acting Mapped) []store.Cond[Conversation] {
	switch f.AIState {
	case "":
		return nil
	case Off:
		if f.Personal {
			return nil // all of them are
		}
		return []store.Cond[Conversation]{accountFacet.Any(acting...).Not()}
	}
	if f.Personal {
		return []store.Cond[Conversation]{accountFacet.Any()} // none of them is
	}
	return []store.Cond[Conversation]{stateFacet.Any(string(f.AIState)), accountFacet.Any(acting...)}
}

// searched are the words of a search, each of which must begin a word of the name or the
// username.
func searched(q string) (words []string) {
	q = strings.TrimSpace(q)
	if name, ok := strings.CutPrefix(q, "@"); ok {
		return []string{cutTo(strings.ToLower(name), maxWord)}
	}
	if strings.ContainsAny(q, "_0123456789") && !strings.Contains(q, " ") {
		return []string{cutTo(strings.ToLower(q), maxWord)}
	}
	for _, w := range geotext.Tokens(q) {
		if len(words) < maxWords {
			words = append(words, cutTo(w, maxWord))
		}
	}
	return words
}

// List reads a page of conversations.
func List(tx *store.Tx, org string, f *Filter, acting Mapped, by Sort, q store.Query[Conversation]) (page store.Page[Conversation], err error) {
	q.Where = f.where(acting)
	switch by {
	case ByUnread:
		q.Sort, q.Reverse = byUnread, true
	case ByWaiting:
		q.Sort = byWaiting
	case ByOldest:
		q.Sort = byRecent
	default:
		q.Sort, q.Reverse = byRecent, true
	}
	return conversations.Page(tx, org, q)
}

// CountOf is how many conversations a filter means.
func CountOf(tx *store.Tx, org string, f *Filter, acting Mapped) (int, error) {
	page, err := List(tx, org, f, acting, ByRecent, store.Query[Conversation]{Limit: 1})
	return page.Total, err
}

// Newest reads the last messages of conversations, nil where there is none.
func Newest(tx *store.Tx, org string, list []Conversation) ([]*Message, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].LastID
	}
	return messages.GetMany(tx, org, ids)
}

// Figures are what of an inbox wants somebody. Personal chats are not counted.
type Figures struct {
	Unread, Waiting int
	OldestWaiting   time.Time
	OpenHandoffs    int
}

// FiguresOf reads them.
func FiguresOf(tx *store.Tx, org string) (out Figures, err error) {
	yes := true
	for to, f := range map[*int]Filter{&out.Unread: {Unread: &yes}, &out.Waiting: {Waiting: &yes}, &out.OpenHandoffs: {Handoff: &yes}} {
		if *to, err = CountOf(tx, org, &f, nil); err != nil {
			return out, err
		}
	}
	if out.Waiting == 0 {
		return out, nil
	}
	page, err := List(tx, org, &Filter{Waiting: &yes}, nil, ByWaiting, store.Query[Conversation]{Limit: 1})
	if err == nil && len(page.Data) > 0 {
		out.OldestWaiting = page.Data[0].WaitingSince
	}
	return out, err
}

// NamesOf are the names of customers by the ids of conversations. A personal chat has none
// here: not everybody may read it.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, conversations, ids, func(c *Conversation) string {
		if c.Personal {
			return ""
		}
		return c.Name()
	})
}

// Between are up to limit conversations whose last message lies between two times (to
// exclusive), the newest first, behind a cursor; nil for the beginning. Personal ones are among
// them. next is nil when nothing is left.
func Between(tx *store.Tx, org string, from, to time.Time, after store.Cursor, limit int) (list []Conversation, next store.Cursor, err error) {
	return byRecent.Walk(tx, org, store.Range{Span: store.During(from, to), After: after, Limit: limit, Reverse: true})
}
