// Package notify tells people in the console what they must know.
//
// It promises that a notification commits with its cause, that each person sees
// those that his permissions allow and reads them for himself, and that a cause
// which repeats within an hour raises the count of the unread entry instead of
// adding one (contract 9.1). It refuses to know
// who wants them by mail (package session does).
package notify

import (
	"errors"
	"slices"
	"time"

	"svc/app/api/perm"
	"svc/app/mail"
	"svc/store"
)

// Kind is what a notification is about.
type Kind string

// Severity says how pressing it is.
type Severity string

// The severities.
const (
	Info     Severity = "INFO"
	Warning  Severity = "WARNING"
	Critical Severity = "CRITICAL"
)

// kinds is the table of contract 9.1: who sees what. A notice to one
// person is seen by nobody else, whatever the table says.
var kinds = map[Kind]struct {
	severity Severity
	perm     perm.Perm
}{
	"ACCOUNT_RESTRICTED":      {Critical, perm.AccountsRead},
	"ACCOUNT_AUTH_REQUIRED":   {Critical, perm.AccountsRead},
	"ACCOUNT_DISCONNECTED":    {Warning, perm.AccountsRead},
	"ACCOUNT_ERROR":           {Warning, perm.AccountsRead},
	"ACCOUNT_PAUSED_FLOOD":    {Warning, perm.AccountsRead},
	"CHANNEL_AUTH_REQUIRED":   {Critical, perm.AccountsRead},
	"CHANNEL_ERROR":           {Critical, perm.AccountsRead},
	"CHANNEL_WARNING":         {Warning, perm.AccountsRead},
	"PROXY_UNREACHABLE":       {Warning, perm.ProxiesRead},
	"CAMPAIGN_COMPLETED":      {Info, perm.CampaignsRead},
	"CAMPAIGN_PAUSED":         {Warning, perm.CampaignsRead},
	"CAMPAIGN_FAILED":         {Warning, perm.CampaignsRead},
	"CAMPAIGN_CANCELLED":      {Warning, perm.CampaignsRead}, // by an administrator of the platform
	"IMPORT_FINISHED":         {Info, perm.RecipientsRead},
	"HANDOFF_CREATED":         {Warning, perm.AIOperate},
	"HANDOFF_ASSIGNED":        {Warning, perm.AIOperate},
	"CUSTOMER_WAITING":        {Warning, perm.AIOperate},
	"MENTIONED":               {Info, perm.AIOperate},
	"DRAFT_WAITING":           {Info, perm.AIOperate},
	"CALENDAR_ACTION_PENDING": {Warning, perm.AIOperate},
	"CALENDAR_NEEDS_REAUTH":   {Warning, perm.AIOperate},
	"AI_BUDGET_ALERT":         {Warning, perm.AIManage},
	"AI_PROVIDER_FAILING":     {Warning, perm.AIManage},
	"KNOWLEDGE_FAILED":        {Warning, perm.AIManage},
	"WEBHOOK_FAILING":         {Warning, perm.WebhooksRead},
	"WEBHOOK_DISABLED":        {Warning, perm.WebhooksRead},
	"PLAN_LIMIT_NEAR":         {Warning, perm.OrgManage},
	"API_KEY_EXPIRING":        {Info, perm.DevelopersManage},
	"SUPPORT_SESSION_STARTED": {Info, perm.MembersManage}, // OWNER and ADMIN alone have it

	// Of a person's own account, always to that person alone (contract 21.2).
	"SECURITY_PASSWORD_RESET":     {Critical, perm.OrgRead},
	"SECURITY_EMAIL_CHANGED":      {Critical, perm.OrgRead},
	"SECURITY_RECOVERY_CODE_USED": {Warning, perm.OrgRead},
	"SECURITY_RECOVERY_CODES_FEW": {Warning, perm.OrgRead},
	"SECURITY_PASSKEYS_CHANGED":   {Info, perm.OrgRead},
}

// Resource is what a notification is about.
type Resource struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// Notice is what there is to say. Title and Body are sentences in English; the
// console says them in the reader's language by Kind and Resource.
type Notice struct {
	Kind     Kind
	Title    string
	Body     string
	Resource *Resource
	Link     string // a path of the console
	// User is whom alone it is for; "" for everybody with the permission.
	User string
	// Mailed: whoever sends it sends the mail too, whatever people chose.
	Mailed bool
}

// Notification is a notice as it is kept.
type Notification struct {
	ID        string    `json:"id"`
	Kind      Kind      `json:"kind"`
	Severity  Severity  `json:"severity"`
	Title     string    `json:"title"`
	Body      string    `json:"body"`
	Resource  *Resource `json:"resource,omitempty"`
	Link      string    `json:"link,omitempty"`
	User      string    `json:"user,omitempty"`
	Count     int       `json:"count"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Over: the resource has left the state that this tells of.
	Over bool `json:"over,omitempty"`
	// ReadBy maps the people who read it to when.
	ReadBy map[string]time.Time `json:"read_by,omitempty"`
}

const (
	repeatWithin = time.Hour
	// Keep is how long notifications are kept.
	Keep = 90 * 24 * time.Hour
)

const (
	forPerson   = "user:"
	audienceAll = "perm:"
)

var (
	table   = store.NewTable("notification", "ntf", func(n *Notification) string { return n.ID })
	byTime  = table.Index("time", func(n *Notification) store.Key { return store.Time(n.CreatedAt) })
	byCause = table.Index("cause", func(n *Notification) store.Key {
		return store.Tuple(cause(n.Kind, n.User, n.Resource), store.Time(n.UpdatedAt))
	})
	audience = table.Facet("audience", func(n *Notification) []string {
		if n.User != "" {
			return []string{forPerson + n.User}
		}
		return []string{audienceAll + kinds[n.Kind].perm.String()}
	})
	// pressing are those that are not over, by severity.
	pressing = table.Facet("severity", func(n *Notification) []string {
		if n.Over {
			return nil
		}
		return []string{string(n.Severity)}
	}).Version(2)
	// standing are those that press for a resource.
	standing = table.Multi("standing", func(n *Notification) []store.Key {
		if n.Over || n.Severity == Info || n.Resource == nil {
			return nil
		}
		return []store.Key{store.Text(n.Resource.ID)}
	})
	// about are all those about a resource.
	about = table.Multi("about", func(n *Notification) []store.Key {
		if n.Resource == nil {
			return nil
		}
		return []store.Key{store.Text(n.Resource.ID)}
	})
	readers = table.Facet("read_by", func(n *Notification) (out []string) {
		for id := range n.ReadBy {
			out = append(out, id)
		}
		slices.Sort(out)
		return out
	})
)

// Tables are what a store that holds notifications is opened with, those of mail
// among them: a notification may become one.
func Tables() []store.AnyTable { return append(mail.Tables(), table) }

// Topic is what the store is told when an organization has a new notification.
func Topic(org string) string { return "notifications:" + org }

func cause(k Kind, user string, r *Resource) store.Key {
	id := ""
	if r != nil {
		id = r.ID
	}
	return store.Text(string(k) + "\x00" + user + "\x00" + id)
}

// Send tells an organization something.
func Send(tx *store.Tx, org string, n Notice) error {
	k, known := kinds[n.Kind]
	if !known {
		return errors.New("notify: there is no kind " + string(n.Kind))
	}
	now := tx.DB().Now()
	last, err := byCause.Last(tx, org, store.Is(store.Tuple(cause(n.Kind, n.User, n.Resource))))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	tx.Notify(Topic(org))
	if err == nil && len(last.ReadBy) == 0 && now.Sub(last.UpdatedAt) < repeatWithin {
		last.Count++
		last.Title, last.Body, last.UpdatedAt, last.Over = n.Title, n.Body, now, false
		return table.Put(tx, org, &last)
	}
	added := Notification{
		ID: tx.DB().NewID("ntf"), Kind: n.Kind, Severity: k.severity, Title: n.Title, Body: n.Body, Resource: n.Resource,
		Link: n.Link, User: n.User, Count: 1, CreatedAt: now, UpdatedAt: now,
	}
	if err := table.Insert(tx, org, &added); err != nil || n.Mailed {
		return err
	}
	if err := askForPush(tx, org, &added); err != nil {
		return err
	}
	return askForMail(tx, org, added.ID)
}

// settledAtOnce bounds the keys of one transaction: a resource has one or two.
const settledAtOnce = 200

// Settle says that a resource has left the state that people were told of, or is gone:
// that waits for nobody any more (contract 9.3, attention). Whoever has not
// read it still finds it unread in the list.
func Settle(tx *store.Tx, org, resource string) error { return settle(tx, org, "", resource) }

// Withdraw removes the newest notifications about a resource, read or not: not everybody who has
// them may know of it any more.
func Withdraw(tx *store.Tx, org, resource string) error {
	list, _, err := about.Walk(tx, org, store.Range{Span: store.Is(store.Text(resource)), Limit: settledAtOnce, Reverse: true})
	for i := range list {
		if err == nil {
			err = table.Delete(tx, org, list[i].ID)
		}
	}
	if err == nil && len(list) > 0 {
		tx.Notify(Topic(org))
	}
	return err
}

// SettleKind is Settle for notifications of one kind about a resource that has others.
func SettleKind(tx *store.Tx, org string, k Kind, resource string) error {
	return settle(tx, org, k, resource)
}

func settle(tx *store.Tx, org string, k Kind, resource string) error {
	list, _, err := standing.Walk(tx, org, store.Range{Span: store.Is(store.Text(resource)), Limit: settledAtOnce})
	for i := range list {
		if err == nil && (k == "" || list[i].Kind == k) {
			list[i].Over = true
			err = table.Put(tx, org, &list[i])
		}
	}
	return err
}

// Purge removes up to limit notifications that are older than Keep and says how
// many there were.
func Purge(tx *store.Tx, org string, limit int) (int, error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-Keep)))
	list, _, err := byTime.Walk(tx, org, store.Range{Span: old, Limit: limit})
	for i := range list {
		if err == nil {
			err = table.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

// Lately says whether an organization was told of a cause since a time, read or
// not: for conditions that last, of which people are to hear once.
func Lately(tx *store.Tx, org string, k Kind, r *Resource, since time.Time) (bool, error) {
	last, err := byCause.Last(tx, org, store.Is(store.Tuple(cause(k, "", r))))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && last.UpdatedAt.After(since), err
}
