package file

import (
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/content"
	"svc/app/inbox/conversation"
	"svc/app/setting"
	"svc/store"
)

// plainBytes is the type of what is only saved.
const plainBytes = "application/octet-stream"

// raster are the pictures that browsers show and that nothing runs in; pages is the type of
// documents with a viewer of their own.
var raster = map[string]bool{"image/jpeg": true, "image/png": true, "image/gif": true, "image/webp": true}

const pages = "application/pdf"

// shown says whether a browser may show a file in place (contract 22).
func shown(mediaType string) bool {
	return raster[mediaType] || mediaType == pages || strings.HasPrefix(mediaType, "audio/") || strings.HasPrefix(mediaType, "video/")
}

// errNoThumbnail is the answer for a file that has no small picture.
var errNoThumbnail = api.ErrNotFound.WithMessage("This file has no thumbnail.")

type attachmentIn struct {
	ID         string `path:"id" maxLength:"64"`
	Attachment string `path:"attachment_id" maxLength:"64"`
	Thumb      bool   `query:"thumb" doc:"The thumbnail, a JPEG of up to 320 pixels."`
}

// PendingFile is the answer while a file is fetched.
type PendingFile struct {
	Status conversation.FileStatus `json:"status"`
}

// visible says whether the caller may read a conversation: personal chats are for those who
// manage accounts.
func visible(c *api.Call, k *conversation.Conversation) bool {
	return !k.Personal || c.Caller.Perms.Has(perm.AccountsManage)
}

// attachment serves a file of a conversation, or says that it is fetched.
func (s *Service) attachment(c *api.Call, in attachmentIn) (out api.MaybeBlob, err error) {
	var f kept
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		f, _, err = s.find(tx, c, in.ID, in.Attachment)
		return err
	})
	if err != nil {
		return out, err
	}
	if !f.Stored {
		err = s.db.Update(c, func(tx *store.Tx) error { return s.request(tx, c, in.ID, in.Attachment) })
		return api.MaybeBlob{Pending: PendingFile{conversation.Pending}}, err
	}
	out.Blob, err = s.blob(c.Org, &f, in.Thumb)
	return out, err
}

// find reads a file of a conversation that the caller may read, which is there, comes, or may
// be asked for again; its status says which.
func (s *Service) find(tx *store.Tx, c *api.Call, conversationID, id string) (f kept, status conversation.FileStatus, err error) {
	k, err := conversation.Get(tx, c.Org, conversationID)
	if err != nil {
		return f, "", err
	}
	f, err = files.Get(tx, c.Org, id)
	switch {
	case err != nil:
		return f, "", err
	case !visible(c, &k) || f.Conversation != k.ID || f.Message == "":
		return f, "", store.ErrNotFound
	case f.Stored:
		return f, conversation.Stored, nil
	}
	status, err = s.absent(tx, c.Org, &f)
	return f, status, err
}

// again is how long after a file could not be kept it is asked for again: a page that shows it
// may ask every time it is drawn.
const again = 5 * time.Minute

// absent is the status of a file that is not here: it comes, or it could not be kept and may be
// asked for again, because the reason may be gone. Else the error says why there is none.
func (s *Service) absent(tx *store.Tx, org string, f *kept) (conversation.FileStatus, error) {
	src, err := conversation.SourceOf(tx, org, f.Message, f.ID)
	if err != nil {
		return "", err
	}
	status := src.File.Status
	may := status == conversation.Pending || tx.DB().Now().Sub(f.Tried) >= again
	switch {
	case !may:
	case status == conversation.TooLarge:
		set, err := setting.Get(tx)
		if err != nil {
			return "", err
		}
		may = src.File.Size <= int64(set.InboxMaxFileMB)<<20
	case status == conversation.FileFailed:
		err := content.RoomFor(tx, org, src.File.Size)
		if err != nil && !errors.Is(err, api.ErrPlanLimit) {
			return "", err
		}
		may = err == nil
	}
	if !may {
		return status, notKept(status)
	}
	return status, nil
}

// request asks for a file that is not here: of a history, whose files are fetched when somebody
// looks, or one that could not be kept (contract 60.21).
func (s *Service) request(tx *store.Tx, c *api.Call, conversationID, id string) error {
	f, status, err := s.find(tx, c, conversationID, id)
	if err != nil || f.Stored {
		return err
	}
	if status != conversation.Pending {
		if err := conversation.SetFile(tx, c.Org, f.Message, f.ID, conversation.Fetched{Status: conversation.Pending}); err != nil {
			return err
		}
		f.Tried = tx.DB().Now()
		if err := files.Put(tx, c.Org, &f); err != nil {
			return err
		}
	}
	return s.ask(tx, fetching{c.Org, f.Account, f.Message, f.ID})
}

// notKept is the answer for a file that is not there.
func notKept(status conversation.FileStatus) error {
	switch status {
	case conversation.TooLarge:
		return api.ErrNotFound.WithMessage("The file is larger than what is kept here; open it in the app of the network.")
	case conversation.Unavailable:
		return api.ErrNotFound.WithMessage("The network does not have the file any more.")
	}
	return api.ErrNotFound.WithMessage("The file could not be fetched.")
}

// blob is a file as it is served.
func (s *Service) blob(org string, f *kept, thumb bool) (out api.Blob, err error) {
	name, err := sealedName.Open(s.db, org, f)
	if err != nil {
		return out, err
	}
	out = api.Blob{Type: f.Type, FileName: string(name), Inline: shown(f.Type), Pages: f.Type == pages, ETag: f.ID, Modified: f.At}
	if out.FileName == "" {
		out.FileName = f.ID
	}
	at, size := f.Vault, f.Size
	if thumb {
		if f.Thumb == 0 {
			return out, errNoThumbnail
		}
		at, size = f.Vault+thumbEnding, f.Thumb
		out = api.Blob{Type: "image/jpeg", FileName: f.ID + ".jpg", Inline: true, ETag: f.ID + "-thumb", Modified: f.At}
	}
	if out.Content, err = s.vault.Open(at, size); err != nil {
		return api.Blob{}, err
	}
	return out, nil
}

// linkLife is how long a link for a network lives (contract 10.3).
const linkLife = 10 * time.Minute

type linkIn struct {
	ID  string `path:"attachment_id" maxLength:"64"`
	Exp string `query:"exp" maxLength:"20" doc:"When the link ends, in Unix seconds."`
	Sig string `query:"sig" maxLength:"128" doc:"Its signature, in hex."`
}

// Link is the address, below that of the service, at which a network may fetch a file for
// ten minutes.
func Link(db *store.DB, id string) (string, error) {
	exp := db.Now().Add(linkLife).Unix()
	sig, err := signature(db, id, exp)
	return fmt.Sprintf("/api/v1/public/inbox/attachments/%s?exp=%d&sig=%s", id, exp, sig), err
}

func signature(db *store.DB, id string, exp int64) (string, error) {
	return db.Hash("inbox link", id+" "+strconv.FormatInt(exp, 10))
}

// linked serves a file to whoever has a link that is right and not over.
func (s *Service) linked(c *api.Call, in linkIn) (api.Blob, error) {
	if err := s.checkLink(&in); err != nil {
		return api.Blob{}, err
	}
	var of store.Of[kept]
	err := s.db.View(c, func(tx *store.Tx) (err error) {
		of.Record, of.Org, err = byID.Find(tx, store.Text(in.ID))
		if err == nil && !of.Record.Stored {
			err = store.ErrNotFound
		}
		return err
	})
	if err != nil {
		return api.Blob{}, err
	}
	return s.blob(of.Org, &of.Record, false)
}

// checkLink gives api.ErrNotFound for a link that is over, or not signed by this service.
func (s *Service) checkLink(in *linkIn) error {
	exp, err := strconv.ParseInt(in.Exp, 10, 64)
	if left := time.Unix(exp, 0).Sub(s.db.Now()); err != nil || left <= 0 || left > linkLife {
		return api.ErrNotFound
	}
	want, err := signature(s.db, in.ID, exp)
	if err != nil {
		return err
	}
	right, err := hex.DecodeString(in.Sig)
	wanted, _ := hex.DecodeString(want) // it is ours
	if err != nil || !hmac.Equal(right, wanted) {
		return api.ErrNotFound
	}
	return nil
}
