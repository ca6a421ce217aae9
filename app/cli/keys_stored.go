package cli

import (
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/app/local"
	"svc/app/mapkey"
)

// inDatabase is how people are told where a stored key is.
const inDatabase = "the database"

func (s *keySet) addStored(cmd *cobra.Command, n mapkey.NewKey) error {
	return withDatabase(cmd, s.p, func(a local.Admin) error {
		made, err := a.AddMapKey(cmd.Context(), n)
		if err != nil {
			return err
		}
		k := fields(&made.MapKey)
		k.Key = made.Key
		return printAdded(cmd, mapkey.Added{Key: k, SameName: made.SameName}, inDatabase)
	})
}

func (s *keySet) listStored(cmd *cobra.Command, asJSON bool) error {
	return withDatabase(cmd, s.p, func(a local.Admin) error {
		keys, err := a.MapKeys(cmd.Context())
		if err != nil {
			return err
		}
		if asJSON {
			return terminal.JSON(cmd.OutOrStdout(), keys)
		}
		rows := [][]string{keyTableHead}
		for i := range keys {
			rows = append(rows, keyRow(fields(&keys[i]), keys[i].KeyStart))
		}
		return terminal.WriteTable(cmd.OutOrStdout(), rows)
	})
}

func (s *keySet) revokeStored(cmd *cobra.Command, who string) error {
	return withDatabase(cmd, s.p, func(a local.Admin) error {
		r, err := a.RevokeMapKey(cmd.Context(), who)
		if err != nil {
			return err
		}
		return printRevoked(cmd, mapkey.Revoked{Name: r.Name, Masked: r.KeyStart, Already: r.Already})
	})
}

// fields are what a stored key has in common with one of a file.
func fields(k *local.MapKey) mapkey.Key {
	return mapkey.Key{
		Name: k.Name, Origins: k.Origins, RateLimit: k.RateLimit, MonthlyQuota: k.MonthlyQuota, Disabled: k.Disabled, Note: k.Note,
		CreatedAt: k.CreatedAt.UTC().Format(time.RFC3339),
	}
}
