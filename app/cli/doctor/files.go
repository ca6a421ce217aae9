package doctor

import (
	"context"
	"os"

	"svc/app/cli/files"
	"svc/app/vault"
	"svc/app/vault/bucket"
)

// checkFiles looks whether the place of files can be written and read.
func (f *Findings) checkFiles(ctx context.Context, c *Subject) {
	const area = "files"
	root, err := files.Open(c.Files)
	if err != nil {
		f.bad(area, "place", "correct --files", "%v", err)
		return
	}
	switch r := root.(type) {
	case nil:
		if c.Store != "" {
			f.warn(area, "place", "name a bucket or a folder that every server reaches with --files, or let the data folder be such a one",
				"attachments and other files lie in the data folder %s, and other servers may share the database", c.Data)
			return
		}
		f.good(area, "place", "the data folder")
	case *bucket.Bucket:
		if err := r.Check(ctx); err != nil {
			f.bad(area, "place", "look at the address, the key and its rights (get, put, remove, list), and that the bucket exists", "%v", err)
			return
		}
		f.good(area, "place", "a bucket that takes, gives and removes")
	case vault.Folder:
		if info, err := os.Stat(r.Dir); err != nil || !info.IsDir() {
			f.bad(area, "place", "make the folder, or mount what it is on", "there is no folder %s", r.Dir)
			return
		}
		f.good(area, "place", "the folder %s", r.Dir)
	}
}
