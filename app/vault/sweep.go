package vault

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// Sweep removes the files that no record knows, which is what a crash left. known is asked, in
// Locked, with the name of a file; an ending that belongs to a file of a record, such as that of
// its thumbnail, is cut off before, "": there is none.
func (v *Vault) Sweep(ctx context.Context, log *slog.Logger, ending string, known func(ctx context.Context, name string) (bool, error)) error {
	for found, err := range v.Names() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		name := strings.TrimSuffix(found.Name, ending)
		err = v.Locked(name, func() error {
			if found.Partial {
				return v.RemovePartial(found.Name)
			}
			known, err := known(ctx, name)
			if err != nil || known {
				return err
			}
			log.Info("removing a file that no record knows", "file", found.Name)
			return v.Remove(found.Name)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
