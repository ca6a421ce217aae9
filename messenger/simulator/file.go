package simulator

import (
	"cmp"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
)

func (s *Simulator) fileMethods() map[uint32]method {
	return map[uint32]method{
		tg.UploadSaveFilePartRequestTypeID:    on(s.savePart),
		tg.UploadSaveBigFilePartRequestTypeID: on(s.saveBigPart),
		tg.MessagesUploadMediaRequestTypeID:   on(s.uploadMedia),
		tg.UploadGetFileRequestTypeID:         on(s.getFile),
	}
}

func (s *Simulator) savePart(c *call, q *tg.UploadSaveFilePartRequest) (bin.Encoder, error) {
	return &tg.BoolTrue{}, s.world.SavePart(c.key(), q.FileID, q.FilePart, 0, q.Bytes)
}

func (s *Simulator) saveBigPart(c *call, q *tg.UploadSaveBigFilePartRequest) (bin.Encoder, error) {
	return &tg.BoolTrue{}, s.world.SavePart(c.key(), q.FileID, q.FilePart, q.FileTotalParts, q.Bytes)
}

var errMedia = tgerr.New(400, "MEDIA_INVALID")

// inputMedia is the file that a client names or has just uploaded.
func (s *Simulator) inputMedia(c *call, in tg.InputMediaClass) (*record.File, error) {
	switch m := in.(type) {
	case *tg.InputMediaUploadedPhoto:
		return s.uploaded(c, m.File, record.File{Photo: true, Mime: "image/jpeg"})
	case *tg.InputMediaUploadedDocument:
		return s.uploaded(c, m.File, record.File{Mime: m.MimeType, Attributes: encode(m.Attributes)})
	case *tg.InputMediaPhoto:
		if p, ok := m.ID.(*tg.InputPhoto); ok {
			return s.world.FileOf(c.key(), world.FileRef{ID: p.ID, Hash: p.AccessHash, Reference: p.FileReference})
		}
	case *tg.InputMediaDocument:
		if d, ok := m.ID.(*tg.InputDocument); ok {
			return s.world.FileOf(c.key(), world.FileRef{ID: d.ID, Hash: d.AccessHash, Reference: d.FileReference})
		}
	}
	return nil, errMedia
}

func (s *Simulator) uploaded(c *call, in tg.InputFileClass, f record.File) (*record.File, error) {
	up := world.Upload{File: f}
	switch u := in.(type) {
	case *tg.InputFile:
		up.ID, up.Parts, up.Name, up.MD5 = u.ID, u.Parts, u.Name, u.MD5Checksum
	case *tg.InputFileBig:
		up.ID, up.Parts, up.Name = u.ID, u.Parts, u.Name
	default:
		return nil, errMedia
	}
	return s.world.Finish(c.key(), up)
}

func (s *Simulator) uploadMedia(c *call, q *tg.MessagesUploadMediaRequest) (bin.Encoder, error) {
	f, err := s.inputMedia(c, q.Media)
	if err != nil {
		return nil, err
	}
	return s.media(c.account, f), nil
}

// media is a file as the platform describes it to an account.
func (s *Simulator) media(account int64, f *record.File) tg.MessageMediaClass {
	ref := s.world.RefOf(account, f)
	if f.Photo {
		size := &tg.PhotoSize{Type: "x", W: cmp.Or(f.Width, 800), H: cmp.Or(f.Height, 600), Size: int(f.Size)}
		p := &tg.Photo{ID: ref.ID, AccessHash: ref.Hash, FileReference: ref.Reference, Date: int(f.At), Sizes: []tg.PhotoSizeClass{size}, DCID: DataCentre}
		out := &tg.MessageMediaPhoto{}
		out.SetPhoto(p)
		return out
	}
	d := &tg.Document{
		ID: ref.ID, AccessHash: ref.Hash, FileReference: ref.Reference, Date: int(f.At), MimeType: f.Mime, Size: f.Size, DCID: DataCentre,
		Attributes: decode(f.Attributes, tg.DecodeDocumentAttribute),
	}
	out := &tg.MessageMediaDocument{}
	out.SetDocument(d)
	return out
}

// albumOf is the kind of album that takes a file: pictures with videos, documents among
// themselves, music among itself; "" for a voice message and an animation.
func albumOf(f *record.File) string {
	if f.Photo {
		return "visual"
	}
	kind := "document"
	for _, a := range decode(f.Attributes, tg.DecodeDocumentAttribute) {
		switch a := a.(type) {
		case *tg.DocumentAttributeAnimated:
			return ""
		case *tg.DocumentAttributeVideo:
			kind = "visual"
		case *tg.DocumentAttributeAudio:
			if a.Voice {
				return ""
			}
			kind = "music"
		}
	}
	return kind
}

// maxRead is the platform's bound of a part that is read.
const maxRead = 1 << 20

func (s *Simulator) getFile(c *call, q *tg.UploadGetFileRequest) (bin.Encoder, error) {
	var ref world.FileRef
	switch l := q.Location.(type) {
	case *tg.InputPhotoFileLocation:
		ref = world.FileRef{ID: l.ID, Hash: l.AccessHash, Reference: l.FileReference}
	case *tg.InputDocumentFileLocation:
		ref = world.FileRef{ID: l.ID, Hash: l.AccessHash, Reference: l.FileReference}
	default:
		return nil, tgerr.New(400, "LOCATION_INVALID")
	}
	if q.Limit <= 0 || q.Limit > maxRead || q.Offset < 0 {
		return nil, tgerr.New(400, "LIMIT_INVALID")
	}
	f, err := s.world.Part(c.key(), ref)
	if err != nil {
		return nil, err
	}
	b, err := s.world.Content(f.ID, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	return &tg.UploadFile{Type: &tg.StorageFileUnknown{}, Mtime: int(f.At), Bytes: b}, nil
}
