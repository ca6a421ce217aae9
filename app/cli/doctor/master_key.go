package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"svc/store/masterkey"
)

// checkMasterKey reads the key, which must be there once there is a database.
func (f *Findings) checkMasterKey(ctx context.Context, c *Subject) {
	const area = "master key"
	k, inData := c.MasterKey, filepath.Join(c.Data, "master.key")
	if k.IsZero() {
		k.File = inData
	}
	err := k.Check(ctx)
	switch _, there := os.Stat(inData); {
	case k.File != "" && errors.Is(err, fs.ErrNotExist) && !c.HasDatabase:
		f.good(area, "source", "%s, which the first start makes", k)
	case k.File != "" && errors.Is(err, fs.ErrNotExist):
		f.bad(area, "source", "put the file back from where it is kept; nothing else opens the database", "%v", err)
	case err != nil:
		f.bad(area, "source", "see that it gives the key; the server does not start without it", "%v", err)
	case k.File == "" && there == nil:
		f.bad(area, "source", "move the file away once its content is where the key comes from", "%s, and there is the file %s too", k, inData)
	case k.Text != "":
		f.warn(area, "source", "prefer a file, a credential of systemd or a command: other programs of the same user can read an environment", "%s", k)
	default:
		f.good(area, "source", "%s", k)
	}
	if k.File == "" {
		return
	}
	if _, err := os.Stat(k.File + masterkey.OldKey); err == nil {
		f.bad(area, "rotation", "stop the server and run 'svc keys rotate-master' again, until it says that it is done", "one was begun and did not end: %s is there", k.File+masterkey.OldKey)
	}
	if kept, _ := filepath.Glob(k.File + masterkey.RetiredKey + "*"); len(kept) > 0 {
		f.warn(area, "old keys", "move them to the backups that need them", "%s", strings.Join(kept, ", "))
	}
}
