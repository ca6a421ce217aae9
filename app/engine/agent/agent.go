// Package agent names the jobs that language models do for an organization, and keeps how
// each is set: whether it works, which models it asks in which order, and what it may do
// beside answering.
//
// It promises that an agent nobody configured has the default (contract 12). It refuses to
// know whether the models of a chain exist and what they cost (package chain).
package agent

import (
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/business"
	"svc/store"
)

// Agent is a job that language models do (contract 12).
type Agent string

// The agents.
const (
	Seller    Agent = "SELLER"
	Decision  Agent = "DECISION"
	Summary   Agent = "SUMMARY"
	Memory    Agent = "MEMORY"
	Cases     Agent = "CASES"
	Analysis  Agent = "ANALYSIS"
	Narrative Agent = "NARRATIVE"
	Calendar  Agent = "CALENDAR"
	Research  Agent = "RESEARCH"
	Composer  Agent = "COMPOSER"
	Social    Agent = "SOCIAL"
	Judge     Agent = "JUDGE"
)

// All lists them in the order in which they are shown; the constants above and the enums of
// the API say the same.
var All = []Agent{Seller, Decision, Summary, Memory, Cases, Analysis, Narrative, Calendar, Research, Composer, Social, Judge}

// Parse reads the name of an agent, in any case.
func Parse(name string) (Agent, error) {
	a := Agent(strings.ToUpper(name))
	if !slices.Contains(All, a) {
		return "", api.ErrNotFound.WithMessage("There is no such agent.")
	}
	return a, nil
}

// Mode says what an execution was for.
type Mode string

// The modes.
const (
	Live       Mode = "LIVE"
	Playground Mode = "PLAYGROUND"
	Eval       Mode = "EVAL"
	Background Mode = "BACKGROUND"
)

// Source says who knows a model or set a budget.
type Source string

// The sources.
const (
	FromPlatform     Source = "PLATFORM"
	FromOrganization Source = "ORGANIZATION"
)

// ForBusiness are the parameters of what may be of one business.
type ForBusiness struct {
	BusinessID string `query:"business_id" maxLength:"64" doc:"Of this business; of the whole organization when left out."`
}

// Check refuses a business that the organization does not have.
func (b ForBusiness) Check(tx *store.Tx, org string) error {
	return CheckBusiness(tx, org, b.BusinessID)
}

// CheckBusiness refuses a business, named in the field business_id, that the organization does
// not have; "" is none.
func CheckBusiness(tx *store.Tx, org, id string) error {
	if id == "" {
		return nil
	}
	_, err := business.Named(tx, org, id)
	return err
}
