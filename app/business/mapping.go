package business

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
)

// Mapping says for which business an account answers. An account answers for one at most.
type Mapping struct {
	AccountID  string    `json:"account_id"`
	BusinessID string    `json:"business_id"`
	AIEnabled  bool      `json:"ai_enabled"`
	UpdatedAt  time.Time `json:"updated_at"`
}

const maxMapped = 1000 // accounts of a business

var (
	mappings        = store.NewTable("account_mapping", "acc", func(m *Mapping) string { return mapID(m.AccountID) })
	mappingBusiness = mappings.Facet("business", func(m *Mapping) []string { return []string{m.BusinessID} })
	mappingAI       = mappings.Facet("ai", func(m *Mapping) []string { return []string{activity(m.AIEnabled)} })
)

// mapID is the id of an account's record, of whatever network: that of one of the messenger.
func mapID(account string) string {
	return "acc" + strings.TrimLeft(account, "abcdefghijklmnopqrstuvwxyz")
}

func mappingsOf(tx *store.Tx, org, business string) ([]Mapping, error) {
	return allOf(tx, org, mappings, nil, maxMapped, mappingBusiness.Any(business))
}

// Of is the business that an account answers for; found is false when there is none.
func Of(tx *store.Tx, org, account string) (b Business, m Mapping, found bool, err error) {
	if m, err = mappings.Get(tx, org, mapID(account)); err != nil {
		return b, m, false, store.IgnoreNotFound(err)
	}
	b, err = businesses.Get(tx, org, m.BusinessID)
	return b, m, err == nil, err
}

// IDsOf are the businesses of accounts, by account.
func IDsOf(tx *store.Tx, org string, accounts []string) (map[string]string, error) {
	ids, out := make([]string, len(accounts)), map[string]string{}
	for i, a := range accounts {
		ids[i] = mapID(a)
	}
	list, err := mappings.GetMany(tx, org, ids)
	for _, m := range list {
		if m != nil {
			out[m.AccountID] = m.BusinessID
		}
	}
	return out, err
}

// AccountsOf are the accounts that answer for a business.
func AccountsOf(tx *store.Tx, org, business string) ([]string, error) {
	list, err := mappingsOf(tx, org, business)
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].AccountID
	}
	return out, err
}

// Acting are the accounts for which the AI answers now: mapped with the AI enabled, to a
// business that is active and whose seller is, in an organization and on a platform where
// AI is switched on (contract 11.6).
func Acting(tx *store.Tx, orgID string) ([]string, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	if on, err := o.AIOn(tx); err != nil || !on {
		return nil, err
	}
	page, err := mappings.Page(tx, orgID, store.Query[Mapping]{Where: []store.Cond[Mapping]{mappingAI.Any(activity(true))}, Limit: maxBusinesses})
	if err != nil {
		return nil, err
	}
	answers := map[string]bool{}
	var out []string
	for _, m := range page.Data {
		acts, known := answers[m.BusinessID]
		if !known {
			b, err := businesses.Get(tx, orgID, m.BusinessID)
			if err != nil {
				return nil, err
			}
			set, _, err := settingsOf(tx, orgID, m.BusinessID)
			if err != nil {
				return nil, err
			}
			acts = b.Status == Active && set.Active
			answers[m.BusinessID] = acts
		}
		if acts {
			out = append(out, m.AccountID)
		}
	}
	return out, nil
}

// Unmap forgets an account that is gone.
func Unmap(tx *store.Tx, org, account string) error {
	return store.IgnoreNotFound(mappings.Delete(tx, org, mapID(account)))
}

// ShownMapping is an account of a business in the API.
type ShownMapping struct {
	AccountID string     `json:"account_id"`
	Account   *api.Named `json:"account"`
	AIEnabled bool       `json:"ai_enabled" doc:"The AI answers direct messages of this account."`
}

// Accounts are all accounts of a business.
type Accounts struct {
	Accounts []ShownMapping `json:"accounts" nullable:"false"`
}

func accountsOf(tx *store.Tx, orgID, business string) (out Accounts, err error) {
	list, err := mappingsOf(tx, orgID, business)
	out.Accounts = make([]ShownMapping, len(list))
	for i, m := range list {
		out.Accounts[i] = ShownMapping{m.AccountID, api.Ref(orgID, m.AccountID), m.AIEnabled}
	}
	return out, err
}

func (s *Service) getAccounts(c *api.Call, tx *store.Tx, in idIn) (out Accounts, err error) {
	if _, err := businesses.Get(tx, c.Org, in.ID); err != nil {
		return out, err
	}
	return accountsOf(tx, c.Org, in.ID)
}

type putAccountsIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Accounts []struct {
			AccountID string `json:"account_id" required:"true" maxLength:"64"`
			AIEnabled *bool  `json:"ai_enabled" doc:"true when left out."`
		} `json:"accounts" required:"true" nullable:"false" maxItems:"1000"`
	}
}

// enabled is for each account that is named whether the AI answers there.
func (in *putAccountsIn) enabled() (map[string]bool, error) {
	out := map[string]bool{}
	for i, a := range in.Body.Accounts {
		if _, duplicate := out[a.AccountID]; duplicate {
			return nil, api.Wrong(fmt.Sprintf("accounts[%d].account_id", i), "is named twice")
		}
		out[a.AccountID] = a.AIEnabled == nil || *a.AIEnabled
	}
	return out, nil
}

// putAccounts replaces the whole set.
func (s *Service) putAccounts(c *api.Call, in putAccountsIn) (out Accounts, err error) {
	enabled, err := in.enabled()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		b, err := businesses.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := s.replaceAccounts(tx, c, &b, &in, enabled); err != nil {
			return err
		}
		out, err = accountsOf(tx, c.Org, b.ID)
		return err
	})
	return out, err
}

func (s *Service) replaceAccounts(tx *store.Tx, c *api.Call, b *Business, in *putAccountsIn, enabled map[string]bool) error {
	before, err := unmapOthers(tx, c.Org, b.ID, enabled)
	if err != nil {
		return err
	}
	after, err := s.mapAll(tx, c, b, in, enabled)
	if err != nil {
		return err
	}
	return audit.Write(tx, c, "business.accounts_replaced", b.resource(), audit.Changed("accounts", before, after))
}

// unmapOthers takes a business from all accounts but those that stay. It answers those that had it.
func unmapOthers(tx *store.Tx, org, business string, stay map[string]bool) (before []string, err error) {
	had, err := mappingsOf(tx, org, business)
	if err != nil {
		return nil, err
	}
	for _, m := range had {
		before = append(before, m.AccountID)
		if _, stays := stay[m.AccountID]; !stays {
			if err := Unmap(tx, org, m.AccountID); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(before)
	return before, nil
}

// mapAll lets the accounts that are named answer for a business. It answers their ids.
func (s *Service) mapAll(tx *store.Tx, c *api.Call, b *Business, in *putAccountsIn, enabled map[string]bool) (after []string, err error) {
	for i, a := range in.Body.Accounts {
		if err := s.mappable(tx, c.Org, b, a.AccountID, fmt.Sprintf("accounts[%d].account_id", i)); err != nil {
			return nil, err
		}
		m := Mapping{AccountID: a.AccountID, BusinessID: b.ID, AIEnabled: enabled[a.AccountID], UpdatedAt: c.Now}
		if err := mappings.Put(tx, c.Org, &m); err != nil {
			return nil, err
		}
		after = append(after, a.AccountID)
	}
	slices.Sort(after)
	return after, nil
}

// mapAccount lets an account answer for a business, or with "" for none.
func (s *Service) mapAccount(tx *store.Tx, c *api.Call, account, business string, ai bool) error {
	if business == "" {
		return Unmap(tx, c.Org, account)
	}
	b, err := Named(tx, c.Org, business)
	if err != nil {
		return err
	}
	return errors.Join(mappings.Put(tx, c.Org, &Mapping{AccountID: account, BusinessID: b.ID, AIEnabled: ai, UpdatedAt: c.Now}),
		audit.Write(tx, c, "business.account_mapped", b.resource(), audit.Changed("ai_enabled", nil, ai)))
}

// mappable refuses an account that does not exist, or that answers for another business.
func (s *Service) mappable(tx *store.Tx, orgID string, b *Business, account, field string) error {
	if _, err := s.o.AccountName(tx, orgID, account); store.IsNotFound(err) {
		return api.Wrong(field, "names no account of the organization")
	} else if err != nil {
		return err
	}
	m, err := mappings.Get(tx, orgID, mapID(account))
	if err != nil || m.BusinessID == b.ID {
		return store.IgnoreNotFound(err)
	}
	other, err := businesses.Get(tx, orgID, m.BusinessID)
	if err != nil {
		return err
	}
	return api.ErrConflict.WithMessage("The account answers for the business %s; take it away there first.", other.Name)
}
