package prompt

import "svc/app/api"

// VersionStatus is where a prompt version is in its life.
type VersionStatus string

// The statuses. Testing is entered by evaluations and experiments.
const (
	Draft    VersionStatus = "DRAFT"
	Testing  VersionStatus = "TESTING"
	InUse    VersionStatus = "ACTIVE"
	Archived VersionStatus = "ARCHIVED"
)

// versionTransition is what happens to a prompt version.
type versionTransition string

const (
	tested    versionTransition = "used by an evaluation or experiment"
	activated versionTransition = "activated"
	replaced  versionTransition = "another was activated"
	lost      versionTransition = "its experiment ended without it"
)

// versionLife is the life of a prompt version (contract 12.1).
var versionLife = api.Table[VersionStatus, versionTransition]{
	{From: []VersionStatus{Draft}, On: tested, To: Testing},
	{From: []VersionStatus{Draft, Testing, Archived}, On: activated, To: InUse},
	{From: []VersionStatus{InUse}, On: replaced, To: Archived},
	{From: []VersionStatus{Testing}, On: lost, To: Archived},
}

// apply changes the status of a version that its caller saves.
func (v *version) apply(on versionTransition) error {
	to, ok := versionLife.Next(v.Status, on)
	if !ok {
		return api.ErrState.WithMessage("A version that is %s cannot be activated.", v.Status)
	}
	v.Status = to
	return nil
}
