package doctor

import (
	"context"

	"svc/app/cli/files"
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
	switch {
	case root == nil && c.Store != "":
		f.warn(area, "place", "name a bucket or a folder that every server reaches with --files, or let the data folder be such a one",
			"attachments and other files lie in the data folder %s, and other servers may share the database", c.Data)
	case root == nil:
		f.good(area, "place", "the data folder")
	default:
		do, fine := "make the folder, or mount what it is on", "the folder "+root.String()
		if _, is := root.(*bucket.Bucket); is {
			do, fine = "look at the address, the key and its rights (get, put, remove, list), and that the bucket exists", "a bucket that takes, gives and removes"
		}
		if err := root.Check(ctx); err != nil {
			f.bad(area, "place", do, "%v", err)
			return
		}
		f.good(area, "place", "%s", fine)
	}
}
