package api

import (
	"maps"
	"strings"

	"svc/app/api/perm"
	"svc/store"
)

// NameSource reads the display names of one kind of records, which rows of other slices
// name (contract 21.2). The slice of the records offers it.
type NameSource struct {
	Prefix string    // of their ids, with the underscore
	Perm   perm.Perm // that it takes to read them; Anyone: whoever may read the row
	Names  func(tx *store.Tx, org string, ids []string) (map[string]string, error)
}

// NamesFrom answers the display names of the records among ids that the caller may read:
// of an organization's records those that the caller's permissions in it allow, of those
// that belong to none (perm.Anyone) all. Operations for administrators of the platform
// read those of every organization.
func NamesFrom(sources []NameSource) func(c *Call, tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return func(c *Call, tx *store.Tx, org string, ids []string) (map[string]string, error) {
		out := map[string]string{}
		for _, s := range sources {
			allowed := s.Perm == perm.Anyone || org == c.Org && c.Caller.Perms.Has(s.Perm)
			if !allowed && !c.Administration() {
				continue
			}
			var wanted []string
			for _, id := range ids {
				if strings.HasPrefix(id, s.Prefix) {
					wanted = append(wanted, id)
				}
			}
			if len(wanted) == 0 {
				continue
			}
			found, err := s.Names(tx, org, wanted)
			if err != nil {
				return nil, err
			}
			maps.Copy(out, found)
		}
		return out, nil
	}
}
