package content

import (
	"context"
	"path/filepath"

	"svc/app/content/vault"
	"svc/store"
)

// Reseal seals every attachment of a data folder again, while the keys of its database are
// rotated and nobody else uses either: see vault.Reseal.
func Reseal(ctx context.Context, data string, db *store.DB) (done int, damaged []string, err error) {
	return vault.Reseal(ctx, filepath.Join(data, filesDir), db)
}
