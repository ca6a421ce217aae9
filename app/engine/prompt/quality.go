package prompt

import (
	"strconv"
	"strings"

	"svc/app/api"
	"svc/app/engine/agent"
	"svc/store"
)

// Quality is what evaluations say of versions.
type Quality struct {
	// Gate refuses to let an agent use a version, by its name, for a business, "" for all; nil:
	// nothing is refused.
	Gate func(tx *store.Tx, org string, who agent.Agent, business, name string) error
	// Grade is what the newest evaluation gave a version; nil: none did.
	Grade func(tx *store.Tx, org, name string) (*Grade, error)
}

// ErrGate refuses the activation of a version that the quality gate of its agent does not let
// pass (contract 13.33). The body names the items that fail.
var ErrGate = &api.Error{
	Kind: api.Conflict, Code: "quality_gate_failed", Message: "The version does not pass the quality gate of its agent; see the items that fail, mend it, and evaluate it again.",
}

// UseQuality sets what judges versions. Call it before the service is used.
func (s *Service) UseQuality(q Quality) { s.quality = q }

// gate asks the gate of an agent about a version. One that was active before comes back
// without being asked: a way back is always open.
func (s *Service) gate(tx *store.Tx, org string, p *prompt, n int, formerly bool) error {
	if formerly || s.quality.Gate == nil {
		return nil
	}
	return s.quality.Gate(tx, org, p.Agent, p.BusinessID, nameOf(p.ID, n))
}

// graded is a version in the API with its grade.
func (s *Service) graded(tx *store.Tx, org string, v *version) (out ShownVersion, err error) {
	out = v.shown(org)
	if s.quality.Grade != nil {
		out.Eval, err = s.quality.Grade(tx, org, nameOf(v.Prompt, v.Number))
	}
	return out, err
}

func nameOf(id string, n int) string { return id + "/" + strconv.Itoa(n) }

// Active is the name of the version that an agent uses, "" for the default prompt.
func Active(tx *store.Tx, org string, who agent.Agent, business string) (string, error) {
	_, name, err := Of(tx, org, who, business, "en")
	return name, err
}

// Tested notes that an evaluation or experiment uses a version: a DRAFT becomes TESTING, any
// other stays. store.ErrNotFound when the agent has none of that name.
func Tested(tx *store.Tx, org string, who agent.Agent, name string) error {
	return change(tx, org, who, name, tested)
}

// Lost notes that the experiment of a version ended without it: TESTING becomes ARCHIVED, any
// other stays, and one that is gone is no error.
func Lost(tx *store.Tx, org string, who agent.Agent, name string) error {
	return store.IgnoreNotFound(change(tx, org, who, name, lost))
}

func change(tx *store.Tx, org string, who agent.Agent, name string, on versionTransition) error {
	v, err := named(tx, org, who, name)
	if err != nil {
		return err
	}
	if _, may := versionLife.Next(v.Status, on); !may {
		return nil
	}
	if err := v.apply(on); err != nil {
		return err
	}
	return versionTable.Put(tx, org, &v)
}

// Activate lets an agent use a version, by its name, in a transaction of the caller. Its
// errors are ErrGate and api.ErrState; one that is active already stays.
func (s *Service) Activate(tx *store.Tx, c *api.Call, who agent.Agent, name string) error {
	v, err := named(tx, c.Org, who, name)
	if err != nil || v.Status == InUse {
		return err
	}
	_, err = s.use(tx, c, v.Prompt, v.Number)
	return err
}

// Named is the text of a version by the name that steps show it by, <id of the prompt>/<number>;
// store.ErrNotFound when the agent has none of that name.
func Named(tx *store.Tx, org string, who agent.Agent, name string) (body string, err error) {
	v, err := named(tx, org, who, name)
	return v.Body, err
}

func named(tx *store.Tx, org string, who agent.Agent, name string) (v version, err error) {
	id, number, ok := strings.Cut(name, "/")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return v, store.ErrNotFound
	}
	p, err := promptTable.Get(tx, org, id)
	if err != nil {
		return v, err
	}
	if p.Agent != who {
		return v, store.ErrNotFound
	}
	return versionTable.Get(tx, org, versionID(id, n))
}
