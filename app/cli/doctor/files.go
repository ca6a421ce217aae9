package doctor

import (
	"context"
	"errors"
	"time"

	"svc/app/cli/files"
	"svc/app/local"
	"svc/app/mapshare"
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

// longestLook bounds how long the server may take to look for its files.
const longestLook = time.Minute

// checkMissingFiles asks the server that runs on the data folder, if one does, whether the
// files of conversations are where they should be.
func (f *Findings) checkMissingFiles(ctx context.Context, c *Subject) {
	const area, name = "files", "conversations"
	client, err := local.Dial(ctx, c.Data)
	if err != nil {
		return // without a server nobody knows; another trouble is told with the clock
	}
	defer func() { _ = client.Close() }() // it was only asked
	within, cancel := context.WithTimeout(ctx, longestLook)
	defer cancel()
	switch m, err := client.MissingFiles(within); {
	case err != nil:
		f.warn(area, name, "look at the log of the server", "the running server cannot say whether they are there: %v", err)
	case m.Files > 0:
		f.warn(area, name, "copy them from where they were, or from a copy of the folder inbox; until then they cannot be shown", "%s", m)
	case m.Records > 0:
		f.good(area, name, "%s", m)
	}
}

// checkMapSource looks what is published for several servers.
func (f *Findings) checkMapSource(c *Subject) {
	const area, name = "map", "published"
	if c.MapSource == "" {
		return
	}
	root, err := files.Open(c.MapSource)
	if err != nil {
		f.bad(area, name, "correct --map-source", "%v", err)
		return
	}
	switch p, err := mapshare.Current(root); {
	case errors.Is(err, mapshare.ErrNone):
		f.warn(area, name, "publish one with 'svc map publish'", "no map in %s", root)
	case err != nil:
		f.bad(area, name, "look at the address, the key and its rights (get), and that the place is there", "%s: %v", root, err)
	default:
		f.good(area, name, "in %s, of %s", root, p.PublishedAt.Format("2006-01-02 15:04 UTC"))
	}
}
