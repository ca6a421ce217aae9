package file

import (
	"errors"
	"fmt"
	"io"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/content/media"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/reply"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
)

const (
	// UploadLife is how long an upload waits for its reply (contract 47).
	UploadLife = 24 * time.Hour
	// MaxUpload bounds an upload, beside the platform's bound of files: it is read whole.
	MaxUpload = 50 << 20
	// maxForm is how much a form adds to its file, and uploadTime how long it may take.
	maxForm    = 64 << 10
	uploadTime = 10 * time.Minute
)

// uploadForm is the form of an upload.
type uploadForm struct {
	File *api.File `json:"file" required:"true" nullable:"false" doc:"The file; its content says what it is, not its name." example:"Narxlar: 5000 so'm"`
}

// Upload is a file that waits for the reply it is added to.
type Upload struct {
	ID        string           `json:"upload_id"`
	Kind      channel.FileKind `json:"kind" enum:"PHOTO,VIDEO,VOICE,AUDIO,DOCUMENT,ANIMATION"`
	FileName  string           `json:"file_name"`
	MimeType  string           `json:"mime_type"`
	SizeBytes int64            `json:"size_bytes"`
	ExpiresAt time.Time        `json:"expires_at"`
}

type uploadIn struct {
	ID string `path:"id" maxLength:"64"`
	api.FormIn[uploadForm]
}

// upload keeps a file for a reply. It lies on the disk before its record commits.
func (s *Service) upload(c *api.Call, in uploadIn) (out api.Created[Upload], err error) {
	of, err := s.conversationOf(c, in.ID)
	if err != nil {
		return out, err
	}
	f, err := in.file(c)
	if err != nil {
		return out, err
	}
	rec := kept{ID: s.db.NewID("upl"), Conversation: of, Size: int64(len(f.Content)), By: c.Caller.ID, At: c.Now, Expires: c.Now.Add(UploadLife)}
	if err := s.allowed(c, rec.Size); err != nil {
		return out, err
	}
	name := content.FileName(f.Name)
	if err := rec.inspect(name, f.Content); err != nil {
		return out, err
	}
	if err := s.keep(c, &rec, name, f.Content); err != nil {
		return out, err
	}
	return api.New(Upload{rec.ID, rec.Kind, name, rec.Type, rec.Size, rec.Expires}), nil
}

// file is the file of the form.
func (in *uploadIn) file(c *api.Call) (*api.File, error) {
	form, err := in.ReadForm(c)
	if err == nil && form.File == nil {
		err = api.ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	return form.File, nil
}

// inspect notes what a file is, by its bytes.
func (k *kept) inspect(name string, bytes []byte) error {
	info, err := media.Inspect(name, bytes)
	if err != nil {
		return api.Wrong("file", "%v", err)
	}
	k.Kind, k.Type, k.Width, k.Height, k.Seconds = channel.FileKind(info.Kind), info.Type, info.Width, info.Height, info.Seconds
	if k.Kind == channel.Photo && k.Size > content.MaxPhoto {
		k.Kind = channel.Document // as the network takes it
	}
	return nil
}

// conversationOf finds a conversation that the caller may see.
func (s *Service) conversationOf(c *api.Call, id string) (string, error) {
	err := s.db.View(c, func(tx *store.Tx) error {
		k, err := conversation.Get(tx, c.Org, id)
		if err == nil && !visible(c, &k) {
			return store.ErrNotFound
		}
		return err
	})
	return id, err
}

// allowed says what keeps an upload of that size away.
func (s *Service) allowed(c *api.Call, size int64) error {
	return s.db.View(c, func(tx *store.Tx) error {
		set, err := setting.Get(tx)
		if err != nil {
			return err
		}
		if most := min(int64(set.InboxMaxFileMB)<<20, MaxUpload); size > most {
			return api.ErrTooLarge.WithMessage("A file of a reply may have %d MB; make it smaller or send a link.", most>>20)
		}
		return content.RoomFor(tx, c.Org, size)
	})
}

// keep writes the file and its thumbnail, then its record.
func (s *Service) keep(c *api.Call, rec *kept, name string, bytes []byte) (err error) {
	if rec.Vault, err = s.vaultName(c.Org, rec.ID); err != nil {
		return err
	}
	var thumb []byte
	if raster[rec.Type] {
		if thumb, err = media.Thumbnail(c, bytes); err != nil {
			return err
		}
		rec.Thumb = int64(len(thumb))
	}
	return s.vault.Locked(rec.Vault, func() error {
		err := s.vault.Write(rec.Vault, bytes)
		if err == nil && len(thumb) > 0 {
			err = s.vault.Write(rec.Vault+thumbEnding, thumb)
		}
		if err != nil {
			return err
		}
		return s.db.Update(c, func(tx *store.Tx) error {
			rec.Stored = true
			if err := content.AddStorage(tx, c.Org, rec.Size); err != nil {
				return err
			}
			if err := errors.Join(uploadName.Set(tx, c.Org, rec, []byte(name)), uploads.Insert(tx, c.Org, rec)); err != nil {
				return err
			}
			return audit.Write(tx, c, "conversation.uploaded", audit.On("conversation", rec.Conversation, ""))
		})
	})
}

// Take makes uploads of a conversation the files of a message: reply.Uploads. An upload that
// is not there, or not any more, is validation_failed for upload_ids.
func (s *Service) Take(tx *store.Tx, c *api.Call, conversationID, message string, ids []string) ([]conversation.File, map[string]conversation.FileWords, error) {
	var list []conversation.File
	var kinds []content.Attachment
	words := map[string]conversation.FileWords{}
	for _, id := range ids {
		f, name, err := take(tx, c.Org, conversationID, message, id)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, conversation.File{
			ID: f.ID, Kind: f.Kind, Status: conversation.Stored, MimeType: f.Type, Size: f.Size, Width: f.Width, Height: f.Height,
			Seconds: f.Seconds, Thumb: f.Thumb > 0,
		})
		words[f.ID] = conversation.FileWords{Name: name}
		kinds = append(kinds, content.Attachment{Kind: media.Kind(f.Kind)})
	}
	return list, words, content.CheckAlbum("upload_ids", kinds)
}

// take makes one upload the file of a message. It is gone as an upload then, so that it is
// in one reply only.
func take(tx *store.Tx, org, conversationID, message, id string) (f kept, name string, err error) {
	f, err = uploads.Get(tx, org, id)
	switch {
	case store.IsNotFound(err) || err == nil && f.Conversation != conversationID:
		return f, "", api.Wrong("upload_ids", "there is no upload %.64s for this conversation; uploads wait 24 hours and go into one reply", id)
	case err != nil:
		return f, "", err
	case !f.Expires.After(tx.DB().Now()):
		return f, "", reply.ErrUploadExpired
	}
	words, err := uploadName.Open(tx.DB(), org, &f)
	if err != nil {
		return f, "", err
	}
	if err := uploads.Delete(tx, org, f.ID); err != nil {
		return f, "", err
	}
	f.ID, f.Message, f.Expires, f.Name = tx.DB().NewID("fil"), message, time.Time{}, store.Sealed{}
	return f, string(words), errors.Join(sealedName.Set(tx, org, &f, words), files.Insert(tx, org, &f))
}

// Outgoing are the files of a message as they go out: reply.Uploads.
func (s *Service) Outgoing(tx *store.Tx, org string, m *conversation.Message) (out []messenger.File, err error) {
	words, err := m.Open(tx.DB(), org)
	if err != nil {
		return nil, err
	}
	for _, x := range m.Files {
		f, err := files.Get(tx, org, x.ID)
		if err != nil {
			return nil, fmt.Errorf("the file %s of a reply: %w", x.ID, err)
		}
		out = append(out, messenger.File{
			Key: f.Vault, Kind: string(f.Kind), Name: words.Files[x.ID].Name, MimeType: f.Type, Size: f.Size,
			Width: f.Width, Height: f.Height, Seconds: f.Seconds,
			Open: func() (io.ReadCloser, error) { return s.vault.Open(f.Vault, f.Size) },
		})
	}
	return out, nil
}
