package experiment

import (
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/seller/draft"
	"svc/app/seller/turn"
	"svc/app/signal"
	"svc/store"
)

// Subscribe hears what becomes of conversations.
func Subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x turn.Completed) error { return answered(tx, &x) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x intake.Arrived) error {
		if x.Message.Direction != conversation.In || x.Message.Imported || x.Conversation.Personal {
			return nil
		}
		return each(tx, x.Org, x.Conversation.ID, func(e *Experiment, to *exposure) bool {
			if e.Metric != ReplyRate || !to.Counts || to.Hit {
				return false
			}
			to.Hit = true
			return true
		})
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x reply.Settled) error {
		if x.Message.Status != conversation.Sent || x.Message.Author != conversation.AI || x.Conversation.Personal {
			return nil
		}
		return each(tx, x.Org, x.Conversation.ID, func(e *Experiment, to *exposure) bool {
			if e.Metric != ReplyRate || to.Counts {
				return false
			}
			to.Counts = true
			return true
		})
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x draft.Decided) error { return decided(tx, &x) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		list, err := exposed(tx, x.Org, x.Conversation)
		for i := range list {
			if err == nil {
				err = exposures.Delete(tx, x.Org, list[i].ID)
			}
		}
		return err
	})
}

// ofConversation bounds the experiments that one conversation was in.
const ofConversation = 100

func exposed(tx *store.Tx, org, id string) ([]exposure, error) {
	list, _, err := of.Walk(tx, org, store.Range{Span: store.Is(store.Text(id)), Limit: ofConversation, Reverse: true})
	return list, err
}

// each lets a function change what is kept of a conversation by experiments that run.
func each(tx *store.Tx, org, id string, change func(*Experiment, *exposure) bool) error {
	list, err := exposed(tx, org, id)
	for i := range list {
		if err != nil {
			return err
		}
		e, err := table.Get(tx, org, list[i].Experiment)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if e.Status == Running && change(&e, &list[i]) {
			if err := exposures.Put(tx, org, &list[i]); err != nil {
				return err
			}
		}
	}
	return err
}

// answered counts a turn in which the version of a variant wrote.
func answered(tx *store.Tx, x *turn.Completed) error {
	e, err := running.Find(tx, x.Org, store.Text(x.Business))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	v, err := e.of(tx, x.Org, x.Conversation)
	if err != nil || v == nil || v.Prompt != "" && v.Prompt != x.Prompt {
		return err // it began before the experiment did
	}
	id := exposureID(e.ID, x.Conversation)
	to, err := exposures.Get(tx, x.Org, id)
	if store.IsNotFound(err) {
		to, err = exposure{ID: id, Experiment: e.ID, Conversation: x.Conversation, Variant: v.ID, Stage: x.StageBefore, At: tx.DB().Now()}, nil
	}
	if err != nil {
		return err
	}
	switch e.Metric {
	case StageAdvance:
		to.Counts = true
		further, err := further(tx, x.Org, x.Business, to.Stage, x.Stage)
		if err != nil {
			return err
		}
		to.Hit = to.Hit || further
	case HandoffRate:
		to.Counts, to.Hit = true, to.Hit || x.Handoff
	case BlockRate:
		to.Counts, to.Hit = true, to.Hit || x.Action == execution.Block
	}
	return exposures.Put(tx, x.Org, &to)
}

// further says whether a stage of the funnel of a business comes after another.
func further(tx *store.Tx, org, of, from, to string) (bool, error) {
	if from == to {
		return false, nil
	}
	f, err := business.FunnelInUse(tx, org, of)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	a, _, was := f.Stage(from)
	b, _, is := f.Stage(to)
	return was && is && b > a, nil
}

// decided counts what a person did with a draft.
func decided(tx *store.Tx, x *draft.Decided) error {
	if x.Draft.Kind != draft.ForSending {
		return nil
	}
	return each(tx, x.Org, x.Draft.Conversation, func(e *Experiment, to *exposure) bool {
		v := e.variant(to.Variant)
		if e.Metric != ApprovalRate || v == nil || to.Counts || v.Prompt != "" && v.Prompt != x.Draft.PromptVersion {
			return false
		}
		to.Counts, to.Hit = true, x.Draft.Status == draft.Approved // the first decision counts
		return true
	})
}

// RemoveOfBusiness removes some of the experiments of a business that was deleted, with what
// they counted; more says whether others are left.
func RemoveOfBusiness(tx *store.Tx, org, business string) (more bool, err error) {
	p, err := table.Page(tx, org, store.Query[Experiment]{Where: []store.Cond[Experiment]{places.Any(business)}, Limit: 1})
	if err != nil || len(p.Data) == 0 {
		return false, err
	}
	list, err := exposures.Page(tx, org, store.Query[exposure]{Where: []store.Cond[exposure]{within.Any(p.Data[0].ID)}, Limit: atOnce})
	for i := range list.Data {
		if err == nil {
			err = exposures.Delete(tx, org, list.Data[i].ID)
		}
	}
	if err != nil || len(list.Data) == atOnce {
		return true, err
	}
	return true, table.Delete(tx, org, p.Data[0].ID)
}

// atOnce is how many records one step removes.
const atOnce = 500
