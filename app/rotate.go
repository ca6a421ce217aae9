package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"svc/app/content"
	inboxfile "svc/app/inbox/file"
	"svc/app/knowledge/source"
	"svc/app/local"
	"svc/app/vault"
	"svc/store"
	"svc/store/masterkey"
	"svc/store/offline"
)

// Rotated is what a rotation of the master key did.
type Rotated struct {
	// Files were sealed again; Damaged did not open before either and stay as they are.
	Files   int
	Damaged []string
	// NewKey is the file of the new key when the key comes from where svc cannot write, and
	// Retired the file of the old one, which only backups from before need; "" for none.
	NewKey, Retired string
}

// RotateMaster gives the installation a new master key and seals everything again, while
// no server runs. Interrupted, it goes on when it is called again. newKey is a file for
// the new key when the key does not come from a file (contract 21.3, Keys).
func (o Options) RotateMaster(ctx context.Context, newKey string, step func(string)) (out Rotated, err error) {
	if client, err := local.Dial(ctx, o.Data); err == nil {
		return out, errors.Join(errors.New("a server runs on this data folder; stop it first, rotate the key, and start it again"), client.Close())
	} else if !errors.Is(err, local.ErrNotRunning) {
		return out, err
	}
	if err := o.oneKey(); err != nil {
		return out, err
	}
	file := o.keyFile()
	if file != "" && newKey != "" {
		return out, fmt.Errorf("the key comes from the file %s, which gets the new key itself; leave the file for the new key out", file)
	}
	if file == "" && newKey == "" {
		return out, fmt.Errorf("the key comes from %s, where svc cannot write; name a file for the new key with --new-key FILE, and put its content there afterwards", o.keySource())
	}
	db, err := o.openToRotate(ctx, newKey)
	if err != nil {
		return out, err
	}
	err = db.RotateKeys(ctx, store.Rotation{New: newKey, Step: step, Files: func(ctx context.Context) (err error) {
		for _, kind := range Files {
			n, damaged, err := vault.Reseal(ctx, o.files().Place(kind), db)
			if out.Files, out.Damaged = out.Files+n, append(out.Damaged, damaged...); err != nil {
				return err
			}
		}
		return nil
	}})
	if err := errors.Join(err, db.Close()); err != nil {
		return out, err
	}
	if o.Store == "" {
		step("the database without its free pages, where old bytes are")
		if _, _, err := offline.Compact(ctx, Database(o.Data)); err != nil {
			return out, err
		}
	}
	if out.NewKey = newKey; file != "" {
		out.Retired, err = masterkey.Retire(file, time.Now())
	}
	return out, err
}

// openToRotate opens the database with the key, or with the new one, which a rotation
// that was begun has sealed it with.
func (o Options) openToRotate(ctx context.Context, newKey string) (*store.DB, error) {
	so := o.StoreOptions()
	db, err := o.openStore(ctx, so)
	if newKey == "" || !errors.Is(err, store.ErrWrongKey) {
		return db, err
	}
	if _, missing := os.Stat(newKey); missing != nil {
		return nil, err
	}
	so.Key = masterkey.Source{File: newKey}
	return o.openStore(ctx, so)
}

// Files are the kinds of files of an installation.
var Files = []string{content.Files, inboxfile.Files, source.Files}

// files is where they lie.
func (o Options) files() vault.Root {
	if o.Files == nil {
		return vault.Folder{Dir: o.Data, Several: o.Store != ""} // servers over one database share the folder
	}
	return o.Files
}

// keySource is where the master key comes from.
func (o Options) keySource() masterkey.Source {
	if o.MasterKey.IsZero() {
		return masterkey.Source{File: filepath.Join(o.Data, masterKeyName)}
	}
	return o.MasterKey
}

// masterKeyName is the master key file in the data folder.
const masterKeyName = "master.key"

// keyFile is the master key file, "" when the key comes from elsewhere.
func (o Options) keyFile() string { return o.keySource().File }

// oneKey refuses a key file that lies in the data folder while the key comes from
// elsewhere: nobody could tell which of them counts.
func (o Options) oneKey() error {
	if o.keyFile() != "" {
		return nil
	}
	file := filepath.Join(o.Data, masterKeyName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("the master key comes from %s, and there is the file %s too; keep one of them: move the file away from here once its content is where the key comes from", o.keySource(), file)
}
