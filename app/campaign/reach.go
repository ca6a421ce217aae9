package campaign

import (
	"errors"
	"slices"

	"svc/app/account"
	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// reachWords say why a campaign does not reach a person.
var reachWords = map[string]string{
	send.RecentlyMessaged: "The person got a message within the days that this campaign keeps free.",
	send.MissingVariables: "The person has no value for a variable of the text.",
	"NOT_IN_AUDIENCE":     "The person is not in the audience of this campaign.",
	"NOT_NEW":             "An earlier run of this series was for the person, and this one is for those who are new.",
	"CAMPAIGN_ENDED":      "The campaign has ended and sends nothing any more.",
	"NO_ACCOUNT":          "None of the campaign's accounts can send.",
	"ACCOUNT_NOT_ACTIVE":  "The account that the person is bound to is not active; the message waits for it.",
	"ALREADY_SENT":        "The person has got this campaign's message.",
	"FAILED":              "The message to the person failed.",
	"SKIPPED":             "The person was skipped.",
	"MESSAGE_UNREADABLE":  "The text of the campaign cannot be read; its checks say where.",
	"PEER_UNRESOLVABLE":   "Only the numeric ID is known, and the account has not met the person; add the username.",
}

// Reach says what of a campaign keeps a message from a person, beside what keeps every
// message away, and from which account it would be sent (recipient.Options.Campaign; contract 20.11).
func (s *Service) Reach(tx *store.Tx, c *api.Call, id string, r recipient.Recipient) (from string, why []audience.Reason, err error) {
	k, err := campaigns.Get(tx, c.Org, id)
	if err != nil {
		return "", nil, err
	}
	x := reach{s: s, tx: tx, c: c, k: &k, r: &r}
	row, err := send.Of(tx, c.Org, id, r.ID)
	switch {
	case err == nil:
		err = x.row(&row)
	case store.IsNotFound(err):
		err = x.newcomer()
	}
	return x.from, x.why, err
}

// reach gathers reasons.
type reach struct {
	s    *Service
	tx   *store.Tx
	c    *api.Call
	k    *Campaign
	r    *recipient.Recipient
	from string
	why  []audience.Reason
}

func (x *reach) because(code string) {
	x.why = append(x.why, audience.Reason{Code: code, Message: reachWords[code]})
}

func (x *reach) say(code, words string) {
	x.why = append(x.why, audience.Reason{Code: code, Message: words})
}

// row: the campaign has begun, and the person has a place in it.
func (x *reach) row(j *send.Job) error {
	x.from = j.AccountID
	switch j.Status {
	case send.Delivered:
		x.because("ALREADY_SENT")
		return nil
	case send.Failed, send.Unreachable:
		x.say(firstOf(j.ErrorCode, "FAILED"), firstOf(j.LastError, reachWords["FAILED"]))
		return nil
	case send.Skipped:
		x.say(firstOf(j.SkipReason, "SKIPPED"), firstOf(reachWords[j.SkipReason], "The person was skipped ("+j.SkipReason+")."))
		return nil
	}
	if x.k.Status.ended() || j.Status == send.Cancelled {
		x.because("CAMPAIGN_ENDED")
		return nil
	}
	a, err := account.Get(x.tx, x.c.Org, j.AccountID)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	if err != nil || !a.Sends() {
		x.because("ACCOUNT_NOT_ACTIVE")
	}
	return x.person([]string{j.AccountID})
}

// newcomer: the campaign has no place for the person yet.
func (x *reach) newcomer() error {
	if x.k.Status.ended() {
		x.because("CAMPAIGN_ENDED")
		return nil
	}
	meant, err := x.meant()
	if err != nil {
		return err
	}
	again, err := x.again()
	if err != nil {
		return err
	}
	switch {
	case !meant:
		x.because("NOT_IN_AUDIENCE")
	case again:
		x.because("NOT_NEW")
	}
	share, err := bindingOf(x.tx, x.c.Org, x.k, nil)
	if err != nil {
		return err
	}
	x.from = share.bind(x.r)
	if !slices.ContainsFunc(share.accounts, func(a slot) bool { return a.sends }) {
		x.because("NO_ACCOUNT")
	}
	return x.person(x.k.AccountIDs)
}

// meant says whether the audience has the person: as it was frozen, once it was.
func (x *reach) meant() (bool, error) {
	if x.k.Planned {
		return false, nil // everybody has a row by then
	}
	a, err := x.k.audience(x.tx, x.c.Org)
	if err != nil {
		return false, err
	}
	if x.k.SnapshotAt != nil {
		p, err := plans.Get(x.tx, x.c.Org, x.k.ID)
		if err != nil {
			return false, err
		}
		a = audience.Audience{Kept: p.Frozen}
	}
	return audience.InAudience(x.tx, x.c.Org, a, x.r)
}

// again says whether an earlier run of the series was for the person, and keeps this one
// away.
func (x *reach) again() (bool, error) {
	if x.k.SnapshotAt != nil {
		return false, nil // that was looked at when the audience was frozen
	}
	r, ok, err := x.k.newOnlySeries(x.tx, x.c.Org)
	if err != nil || !ok {
		return false, err
	}
	return audience.InAudience(x.tx, x.c.Org, audience.Audience{Kept: r.Met}, x.r)
}

// person are the reasons that lie in the campaign's rules and text; what keeps every
// message away is known already.
func (x *reach) person(accounts []string) error {
	m := x.k.rules(&setting.Settings{AllowUnknownConsent: true}, x.tx.DB().Now())
	if m.Objection(x.r.Person()) == policy.RecentlyMessaged {
		x.because(send.RecentlyMessaged)
	}
	d, err := x.s.draftOf(x.tx, x.c.Org, x.k.ID)
	if broken := (*markup.SyntaxError)(nil); errors.As(err, &broken) {
		x.because("MESSAGE_UNREADABLE")
		return nil
	}
	if err != nil {
		return err
	}
	_, ok, err := x.s.render(d, x.c.Org, x.r)
	if err != nil {
		return err
	}
	if !ok {
		x.because(send.MissingVariables)
	}
	if x.r.Username != "" || len(x.r.KnownTo) == 0 { // the second is said already
		return nil
	}
	if !slices.ContainsFunc(accounts, func(id string) bool { return slices.Contains(x.r.KnownTo, id) }) {
		x.because("PEER_UNRESOLVABLE")
	}
	return nil
}
