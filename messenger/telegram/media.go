package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gotd/td/telegram/uploader"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/fault"
)

// maxSeconds bounds what a file may claim about its length: the platform takes a number.
const maxSeconds = 24 * 60 * 60

// uploaded is what the platform knows a file by: the blob that Memory keeps.
type uploaded struct {
	Photo bool   `json:"photo,omitempty"`
	ID    int64  `json:"id"`
	Hash  int64  `json:"hash"`
	Ref   []byte `json:"ref"`
}

func (u uploaded) input() tg.InputMediaClass {
	if u.Photo {
		return &tg.InputMediaPhoto{ID: &tg.InputPhoto{ID: u.ID, AccessHash: u.Hash, FileReference: u.Ref}}
	}
	return &tg.InputMediaDocument{ID: &tg.InputDocument{ID: u.ID, AccessHash: u.Hash, FileReference: u.Ref}}
}

// media is f as the platform knows it. It is uploaded once for an account, not once for
// each of ten thousand people; again means that what is known is no longer good.
func (c *conn) media(ctx context.Context, peer tg.InputPeerClass, f messenger.File, again bool) (tg.InputMediaClass, error) {
	if !again {
		data, err := c.memory.File(ctx, f.Key)
		if err != nil {
			return nil, fault.Remembered(err)
		}
		var known uploaded
		if len(data) > 0 && json.Unmarshal(data, &known) == nil && known.ID != 0 {
			return known.input(), nil
		}
	} else if err := c.memory.SaveFile(ctx, f.Key, nil); err != nil {
		return nil, fault.Remembered(err)
	}
	up, err := c.upload(ctx, peer, f)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(up)
	if err == nil {
		err = c.memory.SaveFile(ctx, f.Key, data)
	}
	return up.input(), fault.Remembered(err)
}

// upload stores f at the platform. Fresh files of an album must go through uploadMedia;
// the others do too, so that a lost answer to the send does not cost a second upload.
func (c *conn) upload(ctx context.Context, peer tg.InputPeerClass, f messenger.File) (uploaded, error) {
	r, err := f.Open()
	if err != nil {
		return uploaded{}, &messenger.Error{Fault: messenger.ContentRefused, Code: fault.CodeFile, Cause: err}
	}
	defer func() { _ = r.Close() }()
	file, err := uploader.NewUploader(parts{c}).WithThreads(1).Upload(ctx, uploader.NewUpload(f.Name, r, f.Size))
	var said sealed
	switch {
	case errors.As(err, &said):
		return uploaded{}, said.e
	case err != nil && ctx.Err() != nil:
		return uploaded{}, fault.Unanswered(err)
	case err != nil:
		return uploaded{}, &messenger.Error{Fault: messenger.ContentRefused, Code: fault.CodeFile, Cause: err}
	}
	var m tg.MessageMediaClass
	err = c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		m, err = api.MessagesUploadMedia(ctx, &tg.MessagesUploadMediaRequest{Peer: peer, Media: fresh(f, file)})
		return err
	})
	if err != nil {
		return uploaded{}, err
	}
	return stored(m)
}

// stored reads what the platform made of a file.
func stored(m tg.MessageMediaClass) (uploaded, error) {
	switch m := m.(type) {
	case *tg.MessageMediaPhoto:
		if p, ok := m.Photo.(*tg.Photo); ok {
			return uploaded{Photo: true, ID: p.ID, Hash: p.AccessHash, Ref: p.FileReference}, nil
		}
	case *tg.MessageMediaDocument:
		if d, ok := m.Document.(*tg.Document); ok {
			return uploaded{ID: d.ID, Hash: d.AccessHash, Ref: d.FileReference}, nil
		}
	}
	return uploaded{}, &messenger.Error{Fault: messenger.ContentRefused, Code: "MEDIA_INVALID", Cause: fmt.Errorf("the platform made %T of the file", m)}
}

// fresh describes a new file to the platform.
func fresh(f messenger.File, file tg.InputFileClass) tg.InputMediaClass {
	if f.Kind == "PHOTO" {
		return &tg.InputMediaUploadedPhoto{File: file}
	}
	d := &tg.InputMediaUploadedDocument{File: file, MimeType: f.MimeType, ForceFile: f.Kind == "DOCUMENT"}
	if d.MimeType == "" {
		d.MimeType = "application/octet-stream"
	}
	seconds := min(max(f.Seconds, 0), maxSeconds)
	switch f.Kind {
	case "VIDEO":
		d.Attributes = append(d.Attributes, &tg.DocumentAttributeVideo{SupportsStreaming: true, Duration: float64(seconds), W: f.Width, H: f.Height})
	case "ANIMATION":
		d.NosoundVideo = true
		d.Attributes = append(d.Attributes, &tg.DocumentAttributeAnimated{},
			&tg.DocumentAttributeVideo{Duration: float64(seconds), W: f.Width, H: f.Height})
	case "AUDIO":
		d.Attributes = append(d.Attributes, &tg.DocumentAttributeAudio{Duration: seconds})
	case "VOICE":
		d.Attributes = append(d.Attributes, &tg.DocumentAttributeAudio{Voice: true, Duration: seconds})
	}
	if f.Name != "" {
		d.Attributes = append(d.Attributes, &tg.DocumentAttributeFilename{FileName: f.Name})
	}
	return d
}

// parts sends the parts of a file, each as a call of its own: an upload as a whole may
// take its time.
type parts struct{ c *conn }

// sealed hides an answer from the library, which would sleep through a flood wait.
type sealed struct{ e *messenger.Error }

// Error is the code of the answer.
func (s sealed) Error() string { return s.e.Code }

// UploadSaveFilePart sends a part of a small file.
func (p parts) UploadSaveFilePart(ctx context.Context, r *tg.UploadSaveFilePartRequest) (bool, error) {
	return p.save(ctx, func(ctx context.Context, api *tg.Client) (bool, error) { return api.UploadSaveFilePart(ctx, r) })
}

// UploadSaveBigFilePart sends a part of a file over 10 MB.
func (p parts) UploadSaveBigFilePart(ctx context.Context, r *tg.UploadSaveBigFilePartRequest) (bool, error) {
	return p.save(ctx, func(ctx context.Context, api *tg.Client) (bool, error) { return api.UploadSaveBigFilePart(ctx, r) })
}

func (p parts) save(ctx context.Context, part func(context.Context, *tg.Client) (bool, error)) (bool, error) {
	var took bool
	err := p.c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		took, err = part(ctx, api)
		return err
	})
	if err == nil && !took {
		// The library would send the same part for ever.
		err = &messenger.Error{Fault: messenger.Busy, Code: "FILE_PART_REFUSED"}
	}
	if err != nil {
		return false, sealed{fault.In(err)}
	}
	return true, nil
}
