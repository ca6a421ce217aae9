package recipient

import (
	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	const read, manage = perm.RecipientsRead, perm.RecipientsManage
	return []api.Endpoint{
		api.E("GET /recipients", "recipients.list", read, "List recipients, newest first, or export them as CSV.", s.list, api.Errors(api.ErrNotFound)),
		api.E("POST /recipients", "recipients.create", manage, "Add a recipient.", s.create, api.Errors(ErrExists, api.ErrPlanLimit, api.ErrNotFound)),
		api.E("GET /recipients/tags", "recipients.tags", read, "List the tags in use, with how many recipients carry each.", api.Read(s.db, s.tags)),
		api.E("GET /recipients/attributes", "recipients.attributes", read, "List the attributes in use, with how many recipients have each and a value as a sample.", api.Read(s.db, s.attributes)),
		api.E("POST /recipients/bulk", "recipients.bulk", manage, "Change up to 5000 recipients at once.", s.bulk, api.AsksMaintenance(), api.Errors(api.ErrNotFound)),
		api.E("GET /recipients/{id}", "recipients.get", read, "Show a recipient.", api.Read(s.db, s.get)),
		api.E("PATCH /recipients/{id}", "recipients.update", manage, "Change a recipient.", s.update, api.AsksMaintenance(), api.Errors(ErrExists, ErrOptedOut, ErrBusy)),
		api.E("DELETE /recipients/{id}", "recipients.delete", manage, "Delete a recipient; an entry of the suppression list stays.", s.delete, api.Errors(ErrBusy)),
		api.E("POST /recipients/{id}/opt-out", "recipients.opt_out", manage, "Opt a recipient out, for good.", s.optOut, api.InMaintenance()),
		api.E("GET /recipients/{id}/history", "recipients.history", read, "List what happened to a recipient, newest first.", api.Read(s.db, s.history)),

		api.E("GET /lists", "lists.list", read, "List the lists of recipients.", api.Read(s.db, s.lists)),
		api.E("POST /lists", "lists.create", manage, "Make a list.", s.createList, api.Errors(ErrListName)),
		api.E("GET /lists/{id}", "lists.get", read, "Show a list.", api.Read(s.db, s.getList)),
		api.E("PATCH /lists/{id}", "lists.update", manage, "Change a list.", api.Write(s.db, s.updateList), api.Errors(ErrListName)),
		api.E("DELETE /lists/{id}", "lists.delete", manage, "Delete a list; its recipients stay.", s.deleteList),
		api.E("POST /lists/{id}/members", "lists.add_members", manage, "Put recipients into a list.", s.addMembers),
		api.E("DELETE /lists/{id}/members", "lists.remove_members", manage, "Take recipients out of a list.", s.removeMembers),
	}
}

type listIn struct {
	api.PageIn
	FilterIn
	Sort   string `query:"sort" enum:"created_at,-created_at,last_messaged_at,-last_messaged_at,first_name,-first_name" default:"-created_at"`
	Format string `query:"format" enum:"json,csv" default:"json" doc:"csv streams every match, without paging."`
}

// Resolve refuses an export whose query has a parameter that is not known: with a typing
// error in a filter the file would hold everybody (contract 21.1).
func (in *listIn) Resolve(ctx huma.Context) (wrong []error) {
	if wrong = in.PageIn.Resolve(ctx); in.Format != "csv" {
		return wrong
	}
	for _, name := range api.UnknownQuery(ctx) {
		wrong = append(wrong, &huma.ErrorDetail{Location: "query." + name, Message: "is not known here"})
	}
	return wrong
}

func (s *Service) list(c *api.Call, in listIn) (api.Either[api.Page[ShownRecipient]], error) {
	if in.Format == "csv" {
		text, err := s.export(c, in)
		return api.Streamed[api.Page[ShownRecipient]](text), err
	}
	var out api.Page[ShownRecipient]
	err := s.db.View(c, func(tx *store.Tx) error {
		where, err := in.filter().conditions(tx, c.Org)
		if err != nil {
			return err
		}
		by, descending := order(in.Sort)
		page, err := recipients.Page(tx, c.Org, store.Query[Recipient]{Where: where, Sort: by, Reverse: descending, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		rows, err := show(tx, c.Org, page.Data)
		out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
		return err
	})
	return api.Whole(out), err
}

// IDIn is the path of one record. It is exported because huma reads no others that
// are embedded.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, tx *store.Tx, in IDIn) (out ShownRecipient, err error) {
	r, err := recipients.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return showOne(tx, c.Org, r)
}

func (s *Service) delete(c *api.Call, in IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		r, err := recipients.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		return s.remove(tx, c, &r)
	})
	return api.NoContent{}, err
}

func (s *Service) optOut(c *api.Call, in IDIn) (out ShownRecipient, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		r, err := recipients.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := optOut(tx, c, s.bus, &r, SourceOf(c), ""); err != nil {
			return err
		}
		out, err = showOne(tx, c.Org, r)
		return err
	})
	return out, err
}

type historyIn struct {
	IDIn
	api.PageIn
}

func (s *Service) history(c *api.Call, tx *store.Tx, in historyIn) (out api.Page[History], err error) {
	r, err := recipients.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return r.page(tx, c.Org, in.PageIn)
}
