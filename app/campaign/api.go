package campaign

import (
	"strings"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/app/campaign/rehearsal"
	"svc/app/campaign/targeting"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/store"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	read, manage, execute := perm.CampaignsRead, perm.CampaignsManage, perm.CampaignsExecute
	return []api.Endpoint{
		api.E("GET /campaigns", "campaigns.list", read, "List campaigns.", api.Read(s.db, s.list)),
		api.E("POST /campaigns", "campaigns.create", manage, "Create a draft campaign.", s.create, api.Status(201)),
		api.E("GET /campaigns/{id}", "campaigns.get", read, "Read one campaign.", api.Read(s.db, s.get)),
		api.E("PATCH /campaigns/{id}", "campaigns.update", manage, "Change a campaign, as far as its status allows.", s.update,
			api.Errors(ErrFieldLocked, ErrLocked), api.Timeout(checksWithin)),
		api.E("DELETE /campaigns/{id}", "campaigns.delete", manage, "Delete a draft.", s.remove, api.Errors(ErrNotDraft)),
		api.E("POST /campaigns/{id}/preview", "campaigns.preview", manage, "Show the message as one person gets it.", api.Read(s.db, s.preview), api.ChangesNothing()),
		api.E("POST /campaigns/{id}/validate", "campaigns.validate", manage, "Run the checks before a launch.", s.validate, api.ChangesNothing(), api.Timeout(checksWithin)),
		api.E("POST /campaigns/{id}/start", "campaigns.start", execute, "Launch a draft, now or at a time.", s.start,
			api.Errors(ErrInvalid, ErrNotDraft, org.ErrPolicyNotAccepted, api.ErrPlanLimit), api.Timeout(checksWithin)),
		api.E("POST /campaigns/{id}/pause", "campaigns.pause", execute, "Pause a campaign.", s.pause, api.Errors(api.ErrState)),
		api.E("POST /campaigns/{id}/resume", "campaigns.resume", execute, "Go on with a paused campaign.", s.resume,
			api.Errors(api.ErrState, ErrNoAccounts, ErrEnded, ErrPausedByAdmin, org.ErrPolicyNotAccepted, ErrInvalid), api.Timeout(checksWithin)),
		api.E("POST /campaigns/{id}/cancel", "campaigns.cancel", execute, "End a campaign for good.", s.cancel, api.Errors(api.ErrState)),
		api.E("POST /campaigns/{id}/stop-repeating", "campaigns.stop_repeating", execute, "End the series of a repeating campaign.", s.stopRepeating,
			api.Errors(ErrNotRepeating)),
		api.E("POST /campaigns/{id}/duplicate", "campaigns.duplicate", manage, "Make a draft of the same, for everybody or for some.", s.duplicate, api.Status(201)),
		api.E("GET /campaigns/{id}/audience-preview", "campaigns.audience", read, "Count who would get it, and who would not.", s.people.Preview,
			api.Timeout(checksWithin)),
		api.E("GET /campaigns/{id}/statistics", "campaigns.statistics", read, "Tell how a campaign goes.", s.outcomes.Statistics),
		api.E("GET /campaigns/{id}/recipients", "campaigns.recipients", read, "List the people of a campaign with what became of them.", s.outcomes.Recipients),
		api.E("POST /campaigns/{id}/rehearse", "campaigns.rehearse", manage, "Plan the campaign on a virtual clock; nothing is sent.", s.rehearsals.Ask,
			api.Status(202), api.Errors(api.ErrState)),
		api.E("GET /campaigns/{id}/rehearsal", "campaigns.rehearsal", read, "Read what the last rehearsal found.", api.Read(s.db, s.rehearsals.Get)),
	}
}

// checksWithin bounds the operations that read a whole audience.
const checksWithin = 2 * time.Minute

func (s *Service) list(c *api.Call, tx *store.Tx, in record.ListIn) (out api.Page[Shown], err error) {
	page, err := record.List(tx, c.Org, in)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *record.Campaign) (Shown, error) { return s.show(tx, c.Org, x, listedPicks) })
}

func (s *Service) get(c *api.Call, tx *store.Tx, in record.IDIn) (Shown, error) {
	k, err := record.Get(tx, c.Org, in.ID)
	if err != nil {
		return Shown{}, err
	}
	return s.show(tx, c.Org, &k, audience.MaxPicked)
}

type createIn struct {
	Body struct {
		Name        string               `json:"name" required:"true" minLength:"1" maxLength:"120" example:"Spring news"`
		Description *string              `json:"description" maxLength:"1000"`
		Message     content.Message      `json:"message"`
		AccountIDs  []string             `json:"account_ids" maxItems:"50"`
		Audience    targeting.AudienceIn `json:"audience"`
		ScheduledAt *time.Time           `json:"scheduled_at" doc:"When it begins once it is launched; at once when left out."`
		EndAt       *time.Time           `json:"end_at" doc:"It pauses then, if not everybody was reached."`
		Timezone    string               `json:"timezone" maxLength:"64" example:"Asia/Tashkent" doc:"The organization's when left out."`
		// Window that is absent is the organization's; null is none.
		Window  api.PatchNull[record.Window] `json:"sending_window" doc:"The organization's default_sending_window when left out, at the clocks of the campaign's time zone; null: any time."`
		Repeat  *record.Repeat               `json:"repeat"`
		MinDays *int                         `json:"min_days_between_messages" minimum:"0" maximum:"90" doc:"Who got any message in that many days is skipped."`
	}
}

func (s *Service) create(c *api.Call, in createIn) (Shown, error) {
	b := &in.Body
	b.Audience.Clean()
	return record.Update(c, s.db, func(tx *store.Tx) (out Shown, err error) {
		k := in.draft(tx.DB().NewID("cmp"), c)
		if !b.Window.Set {
			if err := s.usualWindow(tx, c.Org, &k); err != nil {
				return out, err
			}
		}
		if err := checkFields(tx, c.Org, &k); err != nil {
			return out, err
		}
		if err := targeting.Aim(tx, c.Org, &k, b.Audience); err != nil {
			return out, err
		}
		if err := k.WriteMessage(tx, c.Org, b.Message); err != nil {
			return out, err
		}
		return s.insertNew(tx, c, &k)
	})
}

// draft is the campaign that was asked for, without its message and audience.
func (in *createIn) draft(id string, c *api.Call) record.Campaign {
	b := &in.Body
	return record.Campaign{
		ID: id, Name: b.Name, Description: b.Description, Status: record.Draft, StatusChangedAt: c.Now, AccountIDs: record.Distinct(b.AccountIDs),
		ScheduledAt: inUTC(b.ScheduledAt), EndAt: inUTC(b.EndAt), Timezone: b.Timezone, Window: b.Window.Value, Repeat: b.Repeat, MinDays: b.MinDays,
		CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
}

// insertNew saves a draft that did not exist and shows it.
func (s *Service) insertNew(tx *store.Tx, c *api.Call, k *record.Campaign) (out Shown, err error) {
	if err := s.saveNew(tx, c, k); err != nil {
		return out, err
	}
	return s.show(tx, c.Org, k, audience.MaxPicked)
}

// saveNew saves a draft that did not exist.
func (s *Service) saveNew(tx *store.Tx, c *api.Call, k *record.Campaign) error {
	if err := record.Insert(tx, c.Org, k); err != nil {
		return err
	}
	if err := hold(tx, c.Org, k); err != nil {
		return err
	}
	return audit.Write(tx, c, "campaign.created", k.Resource())
}

// checkFields makes the fields of a campaign whole, or says what is wrong with them.
func checkFields(tx *store.Tx, orgID string, k *record.Campaign) (err error) {
	if k.Name = strings.Join(strings.Fields(k.Name), " "); k.Name == "" {
		return api.Wrong("name", "must not be blank")
	}
	if k.Timezone == "" {
		o, err := org.Get(tx, orgID)
		if err != nil {
			return err
		}
		k.Timezone = o.Timezone
	}
	if k.Timezone, err = org.CheckZone("timezone", k.Timezone); err != nil {
		return err
	}
	if k.Window != nil {
		if err := k.Window.Check(); err != nil {
			return err
		}
	}
	if k.Repeat != nil {
		own := *k.Repeat // the request's
		k.Repeat = &own
		if err := own.Check(k.Timezone); err != nil {
			return err
		}
	}
	for _, id := range k.AccountIDs {
		if _, err := account.Get(tx, orgID, id); store.IsNotFound(err) {
			return api.Wrong("account_ids", "there is no account %.64s", id)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) remove(c *api.Call, in record.IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		k, err := record.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if k.Status != record.Draft {
			return ErrNotDraft
		}
		if err := content.Release(tx, c.Org, k.ID); err != nil {
			return err
		}
		if err := record.Remove(tx, c.Org, k.ID); err != nil {
			return err
		}
		if err := rehearsal.Remove(tx, c.Org, k.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "campaign.deleted", k.Resource())
	})
	return api.NoContent{}, err
}

type previewIn struct {
	record.IDIn
	Body *previewBody // may be absent
}

type previewBody struct {
	RecipientID *string `json:"recipient_id" maxLength:"64" doc:"Whose values the variables have; nobody's when left out."`
}

func (s *Service) preview(c *api.Call, tx *store.Tx, in previewIn) (out content.Preview, err error) {
	id := ""
	if in.Body != nil && in.Body.RecipientID != nil {
		id = *in.Body.RecipientID
	}
	if id != "" && !c.Can(perm.RecipientsRead) {
		return content.Preview{}, api.ErrForbidden.WithMessage("To preview for a recipient needs the permission %s.", perm.RecipientsRead)
	}
	k, err := record.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	m, err := k.OpenMessage(tx.DB(), c.Org)
	if err != nil {
		return out, err
	}
	m.TemplateID = nil // its text was copied
	if m.Format == "" {
		m.Format = markup.Plain
	}
	return s.o.Content.Preview(tx, c.Org, m, id, nil)
}
