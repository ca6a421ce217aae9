package campaign

import (
	"slices"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
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
		api.E("GET /campaigns", "campaigns.list", read, "List campaigns.", s.list),
		api.E("POST /campaigns", "campaigns.create", manage, "Create a draft campaign.", s.create, api.Status(201)),
		api.E("GET /campaigns/{id}", "campaigns.get", read, "Read one campaign.", s.get),
		api.E("PATCH /campaigns/{id}", "campaigns.update", manage, "Change a campaign, as far as its status allows.", s.update,
			api.Errors(ErrFieldLocked, ErrLocked), api.Timeout(checksWithin)),
		api.E("DELETE /campaigns/{id}", "campaigns.delete", manage, "Delete a draft.", s.remove, api.Errors(ErrNotDraft)),
		api.E("POST /campaigns/{id}/preview", "campaigns.preview", manage, "Show the message as one person gets it.", s.preview, api.ChangesNothing()),
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
		api.E("GET /campaigns/{id}/audience-preview", "campaigns.audience", read, "Count who would get it, and who would not.", s.audiencePreview,
			api.Timeout(checksWithin)),
		api.E("GET /campaigns/{id}/statistics", "campaigns.statistics", read, "Tell how a campaign goes.", s.statistics),
		api.E("GET /campaigns/{id}/recipients", "campaigns.recipients", read, "List the people of a campaign with what became of them.", s.recipients),
		api.E("POST /campaigns/{id}/rehearse", "campaigns.rehearse", manage, "Plan the campaign on a virtual clock; nothing is sent.", s.askRehearsal,
			api.Status(202), api.Errors(api.ErrState)),
		api.E("GET /campaigns/{id}/rehearsal", "campaigns.rehearsal", read, "Read what the last rehearsal found.", s.getRehearsal),
	}
}

// checksWithin bounds the operations that read a whole audience.
const checksWithin = 2 * time.Minute

// IDIn is the path of one campaign. It is exported because huma reads no others that
// are embedded.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

type listIn struct {
	api.PageIn
	Status []Status `query:"status,explode" maxItems:"7" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED" doc:"Repeatable; any of them."`
	Q      string   `query:"q" minLength:"2" maxLength:"120" doc:"The beginning of a word of the name, upper or lower case."`
	Sort   string   `query:"sort" enum:"created_at,-created_at,updated_at,-updated_at,scheduled_at,-scheduled_at,started_at,-started_at,name,-name" default:"-created_at"`
}

func (in listIn) query() store.Query[Campaign] {
	q := store.Query[Campaign]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	name, descending := strings.CutPrefix(in.Sort, "-")
	q.Sort, q.Reverse = sorted[name], descending
	if len(in.Status) > 0 {
		values := make([]string, len(in.Status))
		for i, s := range in.Status {
			values[i] = string(s)
		}
		q.Where = append(q.Where, statusFacet.Any(values...))
	}
	if in.Q != "" {
		q.Where = append(q.Where, bySearch.Where(store.HasPrefix(store.Fold(in.Q))))
	}
	return q
}

func (s *Service) list(c *api.Call, in listIn) (api.Page[Shown], error) {
	return view(c, s.db, func(tx *store.Tx) (out api.Page[Shown], err error) {
		page, err := campaigns.Page(tx, c.Org, in.query())
		if err != nil {
			return out, err
		}
		rows := make([]Shown, len(page.Data))
		for i := range page.Data {
			if rows[i], err = s.show(tx, c.Org, &page.Data[i], listedPicks); err != nil {
				return out, err
			}
		}
		return api.NewPage(rows, page.Total, in.PageIn, page.Next), nil
	})
}

func (s *Service) get(c *api.Call, in IDIn) (Shown, error) {
	return view(c, s.db, func(tx *store.Tx) (Shown, error) {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return Shown{}, err
		}
		return s.show(tx, c.Org, &k, audience.MaxPicked)
	})
}

type createIn struct {
	Body struct {
		Name        string          `json:"name" required:"true" minLength:"1" maxLength:"120" example:"Spring news"`
		Description *string         `json:"description" maxLength:"1000"`
		Message     content.Message `json:"message"`
		AccountIDs  []string        `json:"account_ids" maxItems:"50"`
		Audience    AudienceIn      `json:"audience"`
		ScheduledAt *time.Time      `json:"scheduled_at" doc:"When it begins once it is launched; at once when left out."`
		EndAt       *time.Time      `json:"end_at" doc:"It pauses then, if not everybody was reached."`
		Timezone    string          `json:"timezone" maxLength:"64" example:"Asia/Tashkent" doc:"The organization's when left out."`
		// Window that is absent is the organization's; null is none.
		Window  api.PatchNull[Window] `json:"sending_window" doc:"The organization's default_sending_window when left out, at the clocks of the campaign's time zone; null: any time."`
		Repeat  *Repeat               `json:"repeat"`
		MinDays *int                  `json:"min_days_between_messages" minimum:"0" maximum:"90" doc:"Who got any message in that many days is skipped."`
	}
}

func (s *Service) create(c *api.Call, in createIn) (Shown, error) {
	b := &in.Body
	b.Audience.clean()
	return update(c, s.db, func(tx *store.Tx) (out Shown, err error) {
		k := Campaign{
			ID: tx.DB().NewID("cmp"), Name: b.Name, Description: b.Description, Status: Draft, StatusChangedAt: c.Now, AccountIDs: distinct(b.AccountIDs),
			ScheduledAt: inUTC(b.ScheduledAt), EndAt: inUTC(b.EndAt), Timezone: b.Timezone, Window: b.Window.Value, Repeat: b.Repeat, MinDays: b.MinDays,
			CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
		}
		if !b.Window.Set {
			if err := s.usualWindow(tx, c.Org, &k); err != nil {
				return out, err
			}
		}
		if err := k.check(tx, c.Org); err != nil {
			return out, err
		}
		if err := k.aim(tx, c.Org, b.Audience); err != nil {
			return out, err
		}
		if err := k.write(tx, c.Org, b.Message); err != nil {
			return out, err
		}
		if err := s.saveNew(tx, c, &k); err != nil {
			return out, err
		}
		return s.show(tx, c.Org, &k, audience.MaxPicked)
	})
}

// saveNew saves a draft that did not exist.
func (s *Service) saveNew(tx *store.Tx, c *api.Call, k *Campaign) error {
	if err := campaigns.Insert(tx, c.Org, k); err != nil {
		return err
	}
	if err := k.hold(tx, c.Org); err != nil {
		return err
	}
	return audit.Write(tx, c, "campaign.created", k.resource())
}

// check makes the fields of a campaign whole, or says what is wrong with them.
func (k *Campaign) check(tx *store.Tx, orgID string) (err error) {
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
		if err := k.Window.check(); err != nil {
			return err
		}
	}
	if k.Repeat != nil {
		own := *k.Repeat // the request's
		k.Repeat = &own
		if err := own.check(k.Timezone); err != nil {
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

// pick keeps the people that an audience names, n of them.
func (k *Campaign) pick(tx *store.Tx, orgID string, p picks, n int) error {
	before := k.Picked
	k.Picked = n
	switch {
	case n > 0:
		return pickTable.Put(tx, orgID, &p)
	case before > 0:
		return store.IgnoreNotFound(pickTable.Delete(tx, orgID, k.ID))
	}
	return nil
}

func distinct(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (s *Service) remove(c *api.Call, in IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if k.Status != Draft {
			return ErrNotDraft
		}
		if err := content.Release(tx, c.Org, k.ID); err != nil {
			return err
		}
		for _, err := range []error{
			campaigns.Delete(tx, c.Org, k.ID), store.IgnoreNotFound(pulses.Delete(tx, c.Org, k.ID)), store.IgnoreNotFound(pickTable.Delete(tx, c.Org, k.ID)),
			store.IgnoreNotFound(rehearsals.Delete(tx, c.Org, k.ID)),
		} {
			if err != nil {
				return err
			}
		}
		return audit.Write(tx, c, "campaign.deleted", k.resource())
	})
	return api.NoContent{}, err
}

type previewIn struct {
	IDIn
	Body *previewBody // may be absent
}

type previewBody struct {
	RecipientID *string `json:"recipient_id" maxLength:"64" doc:"Whose values the variables have; nobody's when left out."`
}

func (s *Service) preview(c *api.Call, in previewIn) (content.Preview, error) {
	id := ""
	if in.Body != nil && in.Body.RecipientID != nil {
		id = *in.Body.RecipientID
	}
	if id != "" && !c.Can(perm.RecipientsRead) {
		return content.Preview{}, api.ErrForbidden.WithMessage("To preview for a recipient needs the permission %s.", perm.RecipientsRead)
	}
	return view(c, s.db, func(tx *store.Tx) (out content.Preview, err error) {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		m, err := k.message(tx.DB(), c.Org)
		if err != nil {
			return out, err
		}
		m.TemplateID = nil // its text was copied
		if m.Format == "" {
			m.Format = markup.Plain
		}
		return s.o.Content.Preview(tx, c.Org, m, id, nil)
	})
}
