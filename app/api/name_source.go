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
	Prefix string // of their ids, with the underscore
	Perm   perm.Perm
	Names  func(tx *store.Tx, org string, ids []string) (map[string]string, error)
}

// NamesFrom answers the display names of the records among ids that the caller may read.
func NamesFrom(sources []NameSource) func(c *Call, tx *store.Tx, ids []string) (map[string]string, error) {
	return func(c *Call, tx *store.Tx, ids []string) (map[string]string, error) {
		out := map[string]string{}
		for _, s := range sources {
			if !c.Can(s.Perm) {
				continue
			}
			var wanted []string
			for _, id := range ids {
				if strings.HasPrefix(id, s.Prefix) {
					wanted = append(wanted, id)
				}
			}
			found, err := s.Names(tx, c.Org, wanted)
			if err != nil {
				return nil, err
			}
			maps.Copy(out, found)
		}
		return out, nil
	}
}
