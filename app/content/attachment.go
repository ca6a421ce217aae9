package content

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content/media"
	"svc/app/org"
	"svc/app/vault"
	"svc/store"
)

// uploadForm is the form of an upload.
type uploadForm struct {
	File *api.File `json:"file" required:"true" nullable:"false" doc:"The file; its content says what it is, not its name." example:"Non - 5000 so'm"`
}

// upload keeps a file. It lies on the disk, durable, before its record commits: a
// crash in between leaves a file without a record, which the next cleaning removes.
func (s *Service) upload(c *api.Call, in api.FormIn[uploadForm]) (out api.Created[Attachment], err error) {
	form, err := in.ReadForm(c)
	if err != nil {
		return out, err
	}
	if form.File == nil {
		return out, api.ErrNoFile
	}
	a, err := inspect(FileName(form.File.Name), form.File.Content)
	if err != nil {
		return out, err
	}
	a.ID, a.CreatedBy, a.CreatedAt = s.db.NewID("att"), c.Caller.ID, c.Now
	if err := s.checkStorage(c, a); err != nil {
		return out, err // before anything is written
	}
	if err := s.keep(c, a, form.File.Content); err != nil {
		return out, err
	}
	return api.New(a), nil
}

// inspect says what a file is, or refuses one that no message may have.
func inspect(name string, content []byte) (a Attachment, err error) {
	if err := fits("", int64(len(content))); err != nil {
		return a, err
	}
	info, err := media.Inspect(name, content)
	if err != nil {
		return a, api.Wrong("file", "%v", err)
	}
	if err := fits(info.Kind, int64(len(content))); err != nil {
		return a, err
	}
	sum := sha256.Sum256(content)
	return Attachment{
		Kind: info.Kind, FileName: name, MimeType: info.Type, SizeBytes: int64(len(content)),
		SHA256: hex.EncodeToString(sum[:]), Width: positive(info.Width), Height: positive(info.Height), DurationSeconds: positive(info.Seconds),
	}, nil
}

func positive(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}

// checkStorage asks the plan before the work; the transaction that adds asks again.
func (s *Service) checkStorage(c *api.Call, a Attachment) error {
	return s.db.View(c, func(tx *store.Tx) error {
		has, err := blobs.Has(tx, c.Org, a.SHA256)
		if err != nil || has {
			return err
		}
		_, err = room(tx, c.Org, a.SizeBytes)
		return err
	})
}

// room is what the organization keeps when size bytes more are added, or
// plan_limit_reached.
func room(tx *store.Tx, orgID string, size int64) (storage, error) {
	st, err := storageOf(tx, orgID)
	if err != nil {
		return st, err
	}
	used := megabytes(st.Bytes)
	st.Bytes += size
	return st, org.CheckLimit(tx, orgID, org.LimitStorageMB, used, megabytes(st.Bytes)-used)
}

// keep writes content and its thumbnail, and the records of an attachment.
func (s *Service) keep(c *api.Call, a Attachment, content []byte) error {
	b := blob{SHA256: a.SHA256, Size: a.SizeBytes}
	var err error
	if b.File, err = s.vaultName(c.Org, a.SHA256); err != nil {
		return err
	}
	var thumb []byte
	if a.Kind == media.Photo || a.Kind == media.Animation {
		if thumb, err = media.Thumbnail(c, content); err != nil {
			return err
		}
		b.Thumb = int64(len(thumb))
	}
	return s.vault.Locked(b.File, func() error {
		if err := s.write(b, content, thumb); err != nil {
			return err
		}
		return s.db.Update(c, func(tx *store.Tx) error { return insert(tx, c, a, b) })
	})
}

// vaultName is where the content lies: found by the content, and saying nothing
// about it to whoever sees the folder.
func (s *Service) vaultName(orgID, sum string) (string, error) {
	return s.db.Hash("attachment", orgID+"/"+sum)
}

const thumbEnding = ".thumb"

// write puts the files into the vault, unless the same lie there already, whole.
func (s *Service) write(b blob, content, thumb []byte) error {
	for _, f := range []struct {
		name    string
		content []byte
	}{{b.File, content}, {b.File + thumbEnding, thumb}} {
		if len(f.content) == 0 || s.whole(f.name, f.content) {
			continue
		}
		if err := s.vault.Write(f.name, f.content); err != nil {
			return err
		}
	}
	return nil
}

// whole says whether a file with that content lies in the vault and can be read.
func (s *Service) whole(name string, content []byte) bool {
	r, err := s.vault.Open(name, int64(len(content)))
	if err != nil {
		return false
	}
	ok := same(r, content)
	return r.Close() == nil && ok
}

func insert(tx *store.Tx, c *api.Call, a Attachment, b blob) error {
	known, err := blobs.Get(tx, c.Org, b.SHA256)
	switch {
	case errors.Is(err, store.ErrNotFound):
		st, err := room(tx, c.Org, b.Size)
		if err != nil {
			return err
		}
		if err := storages.Put(tx, c.Org, &st); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		b.Refs, b.Thumb = known.Refs, max(b.Thumb, known.Thumb)
	}
	b.Refs++
	if err := blobs.Put(tx, c.Org, &b); err != nil {
		return err
	}
	now := c.Now
	if err := files.Insert(tx, c.Org, &file{Attachment: a, UnusedSince: &now}); err != nil {
		return err
	}
	return audit.Write(tx, c, "attachment.uploaded", audit.On("attachment", a.ID, a.FileName))
}

type attachmentIn struct {
	ID string `path:"id" maxLength:"64"`
}

// getAttachment answers what the upload answered, as it is now.
func (s *Service) getAttachment(c *api.Call, tx *store.Tx, in attachmentIn) (out Attachment, err error) {
	f, err := files.Get(tx, c.Org, in.ID)
	out = f.Attachment
	return out, err
}

type downloadAttachmentIn struct {
	ID    string `path:"id"`
	Thumb bool   `query:"thumb" doc:"The thumbnail, a JPEG of up to 320 pixels."`
}

func (s *Service) download(c *api.Call, in downloadAttachmentIn) (api.Blob, error) {
	a, b, err := s.find(c, c.Org, in.ID)
	if err != nil {
		return api.Blob{}, err
	}
	out := api.Blob{Type: a.MimeType, FileName: a.FileName, Inline: shown(a.Kind), ETag: a.SHA256, Modified: a.CreatedAt}
	name, size := b.File, b.Size
	if in.Thumb {
		if b.Thumb == 0 {
			return api.Blob{}, errNoThumbnail
		}
		name, size = b.File+thumbEnding, b.Thumb
		out.Type, out.ETag, out.FileName, out.Inline = "image/jpeg", a.SHA256+"-thumb", strings.TrimSuffix(a.ID, ".")+".jpg", true
	}
	r, err := s.vault.Open(name, size)
	if err != nil {
		return api.Blob{}, err
	}
	out.Content = r
	return out, nil
}

// shown says whether a browser may show a file in place: only what cannot run.
func shown(k media.Kind) bool { return k != media.Document }

func (s *Service) find(ctx context.Context, orgID, id string) (a Attachment, b blob, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		f, err := files.Get(tx, orgID, id)
		if err != nil {
			return err
		}
		a = f.Attachment
		b, err = blobs.Get(tx, orgID, a.SHA256)
		if err != nil {
			return fmt.Errorf("the content of %s: %w", id, errors.Join(store.ErrCorrupt, err))
		}
		return nil
	})
	return a, b, err
}

// Open reads an attachment, for sending. Close the reader.
func (s *Service) Open(ctx context.Context, orgID, id string) (Attachment, *vault.Reader, error) {
	a, b, err := s.find(ctx, orgID, id)
	if err != nil {
		return a, nil, err
	}
	r, err := s.vault.Open(b.File, b.Size)
	return a, r, err
}
