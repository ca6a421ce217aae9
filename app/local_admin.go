package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"svc/app/admin"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	inboxfile "svc/app/inbox/file"
	"svc/app/local"
	"svc/app/mapkey"
	"svc/app/mapkey/managed"
	"svc/app/org"
	"svc/messenger"
	"svc/store"
)

// App is what local commands ask.
var _ local.Admin = (*App)(nil)

// Backup writes a verified copy of the database to a file. It replaces a backup of that
// name; with force also another file, but nothing of the service's own.
func (a *App) Backup(ctx context.Context, file string, force bool) error {
	file, err := a.o.backupTarget(ctx, file, force)
	if err != nil {
		return err
	}
	if err := a.DB.Backup(ctx, file); err != nil {
		return err
	}
	return a.DB.Update(ctx, func(tx *store.Tx) error { return admin.BackedUp(tx, true, true) })
}

// CreateAdmin makes a platform administrator and answers the password, "" for a
// person who had one.
func (a *App) CreateAdmin(ctx context.Context, email string) (string, error) {
	password, err := a.Sessions.CreateAdministrator(ctx, email)
	return password, plain(err)
}

// ResetPassword gives a person a new password and ends their sessions; with twoFactor
// it turns two-factor off too.
func (a *App) ResetPassword(ctx context.Context, email string, twoFactor bool) (string, error) {
	password, err := a.Sessions.ResetPassword(ctx, email, twoFactor)
	if errors.Is(err, store.ErrNotFound) {
		return "", fmt.Errorf("nobody has the address %s; svc admin create makes an administrator", email)
	}
	return password, plain(err)
}

// plain is a refusal of an operation as a sentence for a terminal.
func plain(err error) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	var wrong []string
	for _, field := range slices.Sorted(maps.Keys(e.Details)) {
		wrong = append(wrong, "the "+field+" "+e.Details[field])
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return errors.New(e.Message)
}

// VerifyAudit proves the chain of the platform and of every organization. One that is
// broken keeps none of the others from being proven. With a file of anchors ("": none)
// every chain must agree with those too.
func (a *App) VerifyAudit(ctx context.Context, anchors string) ([]local.Chain, error) {
	if anchors == "" {
		return verifyAudit(ctx, a.DB, nil)
	}
	f, err := os.Open(anchors)
	if err != nil {
		return nil, fmt.Errorf("the anchors cannot be read: %w", err)
	}
	defer f.Close()
	known, err := audit.ReadAnchors(f)
	if err != nil {
		return nil, fmt.Errorf("the anchors %s: %w", anchors, err)
	}
	return verifyAudit(ctx, a.DB, known)
}

// AddMapKey makes a stored key of the map.
func (a *App) AddMapKey(ctx context.Context, n mapkey.NewKey) (local.NewMapKey, error) {
	made, same, err := a.mapKeys.Add(ctx, n)
	return local.NewMapKey{MapKey: storedKey(&made.MapKey), Key: made.Key, SameName: same}, plain(err)
}

// MapKeys are the stored keys of the map, oldest first.
func (a *App) MapKeys(ctx context.Context) ([]local.MapKey, error) {
	list, err := a.mapKeys.Stored(ctx)
	keys := make([]local.MapKey, 0, len(list))
	for i := range list {
		keys = append(keys, storedKey(&list[i]))
	}
	return keys, plain(err)
}

// RevokeMapKey revokes the stored key of the map that who names.
func (a *App) RevokeMapKey(ctx context.Context, who string) (local.RevokedMapKey, error) {
	k, already, err := a.mapKeys.Revoke(ctx, who)
	return local.RevokedMapKey{MapKey: storedKey(&k), Already: already}, plain(err)
}

// EditMapKey changes the stored key of the map that who names.
func (a *App) EditMapKey(ctx context.Context, who string, c mapkey.KeyChanges) (local.EditedMapKey, error) {
	e, err := a.mapKeys.Edit(ctx, who, c)
	return local.EditedMapKey{MapKey: storedKey(&e.MapKey), Same: e.Same, SameName: e.SameName}, plain(err)
}

func storedKey(k *managed.MapKey) local.MapKey {
	out := local.MapKey{
		ID: k.ID, Name: k.Name, KeyStart: k.KeyStart, Origins: k.Origins, RateLimit: k.RateLimit, MonthlyQuota: k.MonthlyQuota,
		Disabled: k.Disabled, Note: k.Note, CreatedBy: k.CreatedBy, RevokedAt: k.RevokedAt,
	}
	if k.CreatedAt != nil {
		out.CreatedAt = *k.CreatedAt
	}
	return out
}

// MissingFiles compares the records of files of conversations with the place of files.
func (a *App) MissingFiles(ctx context.Context) (local.MissingFiles, error) {
	return a.o.missingFiles(ctx, a.DB)
}

func (o Options) missingFiles(ctx context.Context, db *store.DB) (local.MissingFiles, error) {
	m, err := inboxfile.FindMissing(ctx, db, o.files().Place(inboxfile.Files))
	return local.MissingFiles(m), err
}

// VerifyBackup proves that a backup is whole, and says which files of conversations it names
// that are not in the place of files, which no backup holds; nothing when it is of another
// version.
func (o Options) VerifyBackup(ctx context.Context, file string) (m local.MissingFiles, err error) {
	so := o.StoreOptions()
	so.Prove = func(ctx context.Context, db *store.DB) (err error) {
		m, err = o.missingFiles(ctx, db)
		return errors.Join(proveAudit(ctx, db), err)
	}
	err = store.Verify(ctx, file, so)
	return m, err
}

// Clocks are what the clock of this machine can be compared with.
func (a *App) Clocks(ctx context.Context) (out local.Clocks, err error) {
	if clocked, ok := a.driver.(messenger.Clocked); ok {
		out.Ahead, out.Known = clocked.ClockSkew()
	}
	err = a.DB.View(ctx, func(tx *store.Tx) (err error) {
		out.Newest, err = event.Newest(tx)
		return err
	})
	return out, err
}

func verifyAudit(ctx context.Context, db *store.DB, anchors map[string][]audit.Anchor) ([]local.Chain, error) {
	all, err := audit.Owners(ctx, db)
	if err != nil {
		return nil, err
	}
	all = slices.AppendSeq(all, maps.Keys(anchors)) // a chain may be gone altogether
	// Who has no entry any more is proven too.
	all = append(all, store.Platform)
	if err := eachOrg(ctx, db, func(id string) error { all = append(all, id); return nil }); err != nil {
		return nil, err
	}
	slices.Sort(all) // the platform first
	var chains []local.Chain
	for _, ownerOrgID := range slices.Compact(all) {
		c := local.Chain{OwnerOrgID: ownerOrgID, Anchors: len(anchors[ownerOrgID])}
		var broken *audit.BrokenError
		c.Entries, err = audit.Verify(ctx, db, ownerOrgID, anchors[ownerOrgID]...)
		switch {
		case errors.As(err, &broken):
			c.Broken = broken.Error()
		case err != nil:
			return nil, err
		case c.Entries == 0 && ownerOrgID != store.Platform:
			// Its creation is written in the transaction that makes it.
			c.Broken = (&audit.BrokenError{Org: ownerOrgID, Seq: 1, What: "all of its entries are missing"}).Error()
		}
		chains = append(chains, c)
	}
	return chains, nil
}

// proveAudit is verifyAudit for a file that nobody serves from: an error names each
// chain that is broken.
func proveAudit(ctx context.Context, db *store.DB) error {
	chains, err := verifyAudit(ctx, db, nil)
	for _, c := range chains {
		if c.Broken != "" {
			err = errors.Join(err, errors.New(c.Broken))
		}
	}
	return err
}

// eachOrg visits every organization, in pages, outside of any transaction.
func eachOrg(ctx context.Context, db *store.DB, visit func(id string) error) error {
	for after := store.Cursor(nil); ; {
		var page []org.Organization
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			page, after, err = org.Walk(tx, after, 100)
			return err
		})
		if err != nil {
			return err
		}
		for i := range page {
			if err := visit(page[i].ID); err != nil {
				return err
			}
		}
		if after == nil {
			return nil
		}
	}
}
