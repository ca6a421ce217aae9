package overview

import (
	"errors"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/channel"
	"svc/app/engine/budget"
	"svc/app/inbox/conversation"
	"svc/app/seller/draft"
	"svc/app/send/figures"
	"svc/store"
)

// Known are the sources that exist: accounts, campaigns, messages and the inbox. Those of later
// slices are filled in by whoever puts the service together.
func Known() Sources {
	return Sources{Accounts: accounts, Channels: channels, Campaigns: campaigns, Series: series, Inbox: inboxFigures, AI: intelligence}
}

func accounts(tx *store.Tx, c *api.Call) (Accounts, error) {
	t, err := account.TotalsOf(tx, c.Org)
	return Accounts(t), err
}

func channels(tx *store.Tx, c *api.Call) (out Channels, err error) {
	out.Connected, out.NeedsAttention, err = channel.Health(tx, c.Org)
	return out, err
}

// completedDays is for how many days back completed campaigns are counted.
const completedDays = 30

func campaigns(tx *store.Tx, c *api.Call) (out Campaigns, err error) {
	by, err := record.ByStatus(tx, c.Org)
	if err != nil {
		return out, err
	}
	out = Campaigns{Running: by[record.Running], Scheduled: by[record.Scheduled], Paused: by[record.Paused]}
	out.Completed30d, err = record.CompletedSince(tx, c.Org, c.Now.AddDate(0, 0, -completedDays))
	return out, err
}

func inboxFigures(tx *store.Tx, c *api.Call) (Inbox, error) {
	f, err := conversation.FiguresOf(tx, c.Org)
	if err != nil {
		return Inbox{}, err
	}
	drafts, err := draft.Count(tx, c.Org)
	return Inbox{
		Unread: f.Unread, Waiting: f.Waiting, OldestWaitingSince: api.Optional(f.OldestWaiting), OpenHandoffs: f.OpenHandoffs, PendingDrafts: drafts,
	}, err
}

// intelligence is what the AI did today, in UTC, as costs and budgets count.
func intelligence(tx *store.Tx, c *api.Call) (AI, error) {
	t, err := budget.TodayOf(tx, c.Org)
	return AI{TurnsToday: t.Turns, AutoSentToday: t.Sent, CostTodayUSD: t.CostUSD, BudgetUsedPercent: t.BudgetUsedPercent}, err
}

// series are the figures of package send, with the names of what they are of.
func series(tx *store.Tx, c *api.Call, a Asked) ([]Row, error) {
	groups, err := figures.Analytics(tx, c.Org, a.From, a.To, figures.GroupBy(a.GroupBy), a.Zone)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(groups))
	for i := range groups {
		g := &groups[i]
		rows[i] = Row{Key: g.Key, Counters: Counters{
			Delivered: g.Delivered, Failed: g.Failed, Unreachable: g.Unreachable, Skipped: g.Skipped, Read: g.Read, Replied: g.Replied, OptedOut: g.OptedOut,
		}}
		if rows[i].Label, err = label(tx, c.Org, a.GroupBy, g.Key); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// label is what people call the account or the campaign of a row; nil for one that was
// deleted, and for what has no name.
func label(tx *store.Tx, org string, by GroupBy, key string) (*string, error) {
	name := ""
	switch by {
	case ByAccount:
		a, err := account.Get(tx, org, key)
		if err != nil {
			return nil, ignore(err)
		}
		name = a.DisplayName()
	case ByCampaign:
		k, err := record.Get(tx, org, key)
		if err != nil {
			return nil, ignore(err)
		}
		name = k.Name
	default:
		return nil, nil
	}
	return &name, nil
}

// ignore is nil for what is not there any more.
func ignore(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
