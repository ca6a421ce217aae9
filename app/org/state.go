package org

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/signal"
	"svc/store"
)

// WasSuspended is published when an organization is suspended: what runs for it
// pauses in the same transaction.
type WasSuspended struct{ ID string }

// WasReactivated is published when a suspended organization may act again.
type WasReactivated struct{ ID string }

type orgEvent string

const (
	suspend    orgEvent = "suspended"
	reactivate orgEvent = "reactivated"
)

// lives is the life of an organization.
var lives = api.Table[Status, orgEvent]{
	{From: []Status{Active}, On: suspend, To: Suspended},
	{From: []Status{Suspended}, On: reactivate, To: Active},
}

// Suspend stops an organization from changing anything and from sending. One that
// is suspended already is ErrState.
func (s *Service) Suspend(tx *store.Tx, c *api.Call, id, reason string) (Organization, error) {
	o, err := apply(tx, c, id, suspend, &reason)
	if err != nil {
		return o, err
	}
	return o, signal.Publish(s.bus, tx, c, WasSuspended{id})
}

// Reactivate lets a suspended organization act again; what was paused stays so.
func (s *Service) Reactivate(tx *store.Tx, c *api.Call, id string) (Organization, error) {
	o, err := apply(tx, c, id, reactivate, nil)
	if err != nil {
		return o, err
	}
	return o, signal.Publish(s.bus, tx, c, WasReactivated{id})
}

func apply(tx *store.Tx, c *api.Call, id string, on orgEvent, reason *string) (Organization, error) {
	o, err := Get(tx, id)
	if err != nil {
		return o, err
	}
	before := o.Status
	next, ok := lives.Next(before, on)
	if !ok {
		return o, api.ErrState
	}
	o.Status, o.SuspendedReason, o.UpdatedAt = next, reason, tx.DB().Now()
	if err := save(tx, &o); err != nil {
		return o, err
	}
	details := []audit.Detail{audit.Changed("status", before, o.Status)}
	if reason != nil {
		details = append(details, audit.Because(*reason))
	}
	return o, audit.WriteTo(tx, id, c, "organization."+string(on), audit.On("organization", o.ID, o.Name), details...)
}
