package recipient

import (
	"svc/app/api"
	"svc/app/recipient/field"
	"svc/app/signal"
	"svc/store"
)

// Imported is what a row of an import makes of somebody.
type Imported struct {
	Recipient Recipient    // as they will be
	Before    *Recipient   // as they are; nil: they are new
	Import    string       // its id
	Source    field.Source // of the import
	OptOut    bool         // they have to be opted out now
	Named     bool         // the suppression list names them
}

// entry is what their history says of the import.
func (x *Imported) entry(c *api.Call) history {
	h := history{At: c.Now, Kind: WasImported, Consent: x.Recipient.Consent, Source: string(x.Source), ImportID: x.Import, Actor: c.Caller.Name}
	if x.Before != nil {
		h.Previous = x.Before.Consent
	}
	return h
}

// SaveImported saves what a row came to.
func (s *Service) SaveImported(tx *store.Tx, c *api.Call, x Imported) error {
	r, old, was := &x.Recipient, x.Before, int64(0)
	if old == nil {
		r.ID = tx.DB().NewID("rcp")
	} else {
		was = old.MessengerID
	}
	if err := s.linkKnownAccounts(tx, c.Org, r, was); err != nil {
		return err
	}
	r.Import = x.Import
	if err := note(tx, c.Org, r, x.entry(c)); err != nil {
		return err
	}
	another := old == nil || old.Who() != r.Who()
	named := x.OptOut || x.Named || old != nil && old.Suppressed
	var err error
	if named && (x.OptOut || another || !old.Suppressed) {
		err = optOut(tx, c, s.bus, r, field.ByImport, x.Import)
	} else {
		err = put(tx, c.Org, r)
	}
	if err != nil || !another {
		return err
	}
	return signal.Publish(s.bus, tx, c, Identified{r.ID, r.Who(), old == nil})
}

// Draft is somebody new who is ready to be saved.
type Draft struct {
	rec *store.Encoded[Recipient]
	who Identified
}

// Draft makes somebody new ready, outside of a transaction. They are neither opted out nor
// on the suppression list, and no account has met them.
func (s *Service) Draft(c *api.Call, x Imported) (*Draft, error) {
	r := &x.Recipient
	r.ID, r.Import = s.db.NewID("rcp"), x.Import
	r.begin(x.entry(c))
	rec, err := recipients.Encode(r)
	return &Draft{rec, Identified{r.ID, r.Who(), true}}, err
}

// SaveDraft saves a draft that the transaction found to hold.
func (s *Service) SaveDraft(tx *store.Tx, c *api.Call, d *Draft) error {
	if err := recipients.InsertEncoded(tx, c.Org, d.rec); err != nil {
		return err
	}
	return signal.Publish(s.bus, tx, c, d.who)
}
