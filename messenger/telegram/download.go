package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
)

const (
	// filePart is how much of a file is asked for at once: bytes. The platform takes
	// divisors of 1 MiB only.
	filePart = 512 << 10
	// renewals is how often one download asks for a new reference.
	renewals = 3

	codeFileGone     = "FILE_GONE"
	codeFileTooLarge = "FILE_TOO_LARGE"
	codeFileShort    = "FILE_SHORT"
)

// filePlace is how the platform finds a file: the blob that is messenger.Media.Ref.
type filePlace struct {
	Photo     bool   `json:"photo,omitempty"`
	ID        int64  `json:"id"`
	Hash      int64  `json:"hash"`
	Reference []byte `json:"ref"`
	Type      string `json:"type,omitempty"` // which size of a photo
	Size      int64  `json:"size,omitempty"` // 0 when the platform did not say
}

func (p filePlace) encode() []byte {
	data, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return data
}

func (p filePlace) location() tg.InputFileLocationClass {
	if p.Photo {
		return &tg.InputPhotoFileLocation{ID: p.ID, AccessHash: p.Hash, FileReference: p.Reference, ThumbSize: p.Type}
	}
	return &tg.InputDocumentFileLocation{ID: p.ID, AccessHash: p.Hash, FileReference: p.Reference}
}

// Download writes a file in parts, each a call of its own, so that a slow one is not cut
// off as a whole. Waits that the platform asks for are its answer.
func (c *conn) Download(ctx context.Context, f messenger.FileRef, w io.Writer, most int64) (int64, error) {
	var at filePlace
	if json.Unmarshal(f.Ref, &at) != nil || at.ID == 0 {
		return 0, fileGone(errors.New("the message came without a reference to its file"))
	}
	from := max(f.From, 0)
	var wrote int64
	for offset, renewed := from-from%filePart, 0; ; {
		if at.Size > most || offset > most {
			return wrote, fileTooLarge()
		}
		part, err := c.filePart(ctx, at, offset)
		if expiredReference(err) && renewed < renewals {
			renewed++
			if at, err = c.renew(ctx, f, at); err != nil {
				return wrote, err
			}
			continue
		}
		if err != nil {
			return wrote, fileFault(err)
		}
		end := offset + int64(len(part))
		if end > most {
			return wrote, fileTooLarge()
		}
		if have := from + wrote - offset; have < int64(len(part)) {
			n, err := w.Write(part[have:])
			if wrote += int64(n); err != nil {
				return wrote, err
			}
		}
		if len(part) < filePart || end == at.Size {
			if end < at.Size {
				return wrote, &messenger.Error{Fault: messenger.Busy, Code: codeFileShort, Cause: errors.New("the platform gave less of the file than it has")}
			}
			return wrote, nil
		}
		offset = end
	}
}

func (c *conn) filePart(ctx context.Context, at filePlace, offset int64) ([]byte, error) {
	var part []byte
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) error {
		res, err := api.UploadGetFile(ctx, &tg.UploadGetFileRequest{Location: at.location(), Offset: offset, Limit: filePart})
		if err != nil {
			return err
		}
		file, ok := res.(*tg.UploadFile)
		if !ok { // the other kind is only answered to who says that it is understood
			return &messenger.Error{Fault: messenger.Busy, Code: codeFileShort}
		}
		part = file.Bytes
		return nil
	})
	return part, err
}

// renew asks for the message again, whose file comes with a new reference. The file must
// be the same: the sender may have put another in its place.
func (c *conn) renew(ctx context.Context, f messenger.FileRef, was filePlace) (filePlace, error) {
	var res tg.MessagesMessagesClass
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		res, err = api.MessagesGetMessages(ctx, []tg.InputMessageClass{&tg.InputMessageID{ID: f.MessageID}})
		return err
	})
	if err != nil {
		return was, fileFault(err)
	}
	list, ok := res.AsModified()
	if !ok {
		return was, fileGone(nil)
	}
	for _, mc := range list.GetMessages() {
		m, ok := mc.(*tg.Message)
		if !ok || m.ID != f.MessageID {
			continue
		}
		var now filePlace
		p, person := m.PeerID.(*tg.PeerUser)
		if media := fileOf(m.Media); person && p.UserID == f.Peer && media != nil && json.Unmarshal(media.Ref, &now) == nil &&
			now.ID == was.ID && now.Photo == was.Photo {
			return now, nil
		}
	}
	return was, fileGone(errors.New("the message, or its file, is not there any more"))
}

func expiredReference(err error) bool {
	e := messenger.As(err)
	return e != nil && tgerr.Is(e.Cause, "FILE_REFERENCE_EXPIRED", "FILE_REFERENCE_INVALID", "FILE_REFERENCE_EMPTY", "FILEREF_UPGRADE_NEEDED")
}

// fileFault is what an answer means for a file: what the platform refuses for good, it
// refuses every time.
func fileFault(err error) error {
	e := messenger.As(err)
	if e != nil && (e.Fault == messenger.ContentRefused || e.Fault == messenger.Refused) {
		return fileGone(e.Cause)
	}
	return err
}

func fileGone(cause error) *messenger.Error {
	return &messenger.Error{Fault: messenger.FileGone, Code: codeFileGone, Cause: cause}
}

func fileTooLarge() *messenger.Error {
	return &messenger.Error{Fault: messenger.FileTooLarge, Code: codeFileTooLarge}
}

// MarkRead tells a person that the account has read what they wrote, up to a message.
func (c *conn) MarkRead(ctx context.Context, to messenger.Target, upTo int) error {
	p, _, err := c.find(ctx, to)
	if err != nil {
		return err
	}
	return c.call(ctx, func(ctx context.Context, api *tg.Client) error {
		_, err := api.MessagesReadHistory(ctx, &tg.MessagesReadHistoryRequest{
			Peer: &tg.InputPeerUser{UserID: p.ID, AccessHash: p.AccessHash}, MaxID: upTo,
		})
		return err
	})
}
