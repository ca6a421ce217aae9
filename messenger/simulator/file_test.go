package simulator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/gotd/td/telegram/downloader"
	"github.com/gotd/td/telegram/message"
	"github.com/gotd/td/telegram/uploader"
	"github.com/gotd/td/tg"
)

// Files are uploaded in parts, sent, named again by their reference, read back, and
// expire.
func TestFiles(t *testing.T) {
	for name, dir := range map[string]string{"in memory": "", "on disk": t.TempDir()} {
		t.Run(name, func(t *testing.T) { testFiles(t, start(t, Options{Dir: dir, Script: "person @vali id 500"})) })
	}
}

func testFiles(t *testing.T, s *Simulator) {
	c := account(t, s, alice, nil)
	vali := c.peer(t, "vali")
	content := bytes.Repeat([]byte("0123456789abcdef"), 80_000) // three parts
	hash := sha256.Sum256(content)
	f, err := uploader.NewUploader(c.API()).FromBytes(c.ctx, "a.bin", content)
	ok(t, err)
	u, err := c.API().MessagesSendMedia(c.ctx, &tg.MessagesSendMediaRequest{
		Peer: vali, Message: "caption", RandomID: 5,
		Media: &tg.InputMediaUploadedDocument{File: f, MimeType: "text/plain", Attributes: []tg.DocumentAttributeClass{
			&tg.DocumentAttributeFilename{FileName: "a.bin"},
		}},
	})
	ok(t, err)
	sent := u.(*tg.Updates)
	if id := sent.Updates[0].(*tg.UpdateMessageID); id.RandomID != 5 || id.ID != 1 {
		t.Errorf("%+v", id)
	}
	m := sent.Updates[1].(*tg.UpdateNewMessage).Message.(*tg.Message)
	doc, isDoc := m.Media.(*tg.MessageMediaDocument).Document.(*tg.Document)
	if !isDoc || doc.Size != int64(len(content)) || len(doc.Attributes) != 1 || m.Message != "caption" {
		t.Fatalf("sent %+v", m)
	}
	log := logOf(t, s)
	if log[0].File != hex.EncodeToString(hash[:]) || log[0].Text != "caption" {
		t.Errorf("the log is %+v", log)
	}
	var got bytes.Buffer
	_, err = downloader.NewDownloader().Download(c.API(), doc.AsInputDocumentFileLocation("")).Stream(c.ctx, &got)
	ok(t, err)
	if !bytes.Equal(got.Bytes(), content) {
		t.Errorf("read back %d of %d bytes", got.Len(), len(content))
	}
	again := func(random int64) error {
		_, err := c.API().MessagesSendMedia(c.ctx, &tg.MessagesSendMediaRequest{Peer: vali, RandomID: random, Media: &tg.InputMediaDocument{ID: doc.AsInput()}})
		return err
	}
	ok(t, again(6))
	ok(t, s.World().ExpireFiles())
	refused(t, again(7), 400, "FILE_REFERENCE_EXPIRED")
	other := account(t, s, bob, nil)
	_, err = other.API().MessagesSendMedia(other.ctx, &tg.MessagesSendMediaRequest{Peer: other.peer(t, "vali"), RandomID: 1, Media: &tg.InputMediaDocument{ID: doc.AsInput()}})
	refused(t, err, 400, "FILE_ID_INVALID")
}

// An album is one request with a message for each file.
func TestAlbum(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500"})
	c := account(t, s, alice, nil)
	vali := c.peer(t, "vali")
	f, err := uploader.NewUploader(c.API()).FromBytes(c.ctx, "a.jpg", []byte("not really a photo"))
	ok(t, err)
	g, err := uploader.NewUploader(c.API()).FromBytes(c.ctx, "b.jpg", []byte("another"))
	ok(t, err)
	_, err = message.NewSender(c.API()).To(vali).Album(c.ctx, message.UploadedPhoto(f), message.UploadedPhoto(g))
	ok(t, err)
	log := logOf(t, s)
	if len(log) != 2 || log[0].Group == 0 || log[0].Group != log[1].Group || log[0].File == log[1].File {
		t.Errorf("the log is %+v", log)
	}
	fresh := tg.InputSingleMedia{Media: &tg.InputMediaUploadedPhoto{File: f}, RandomID: 9}
	_, err = c.API().MessagesSendMultiMedia(c.ctx, &tg.MessagesSendMultiMediaRequest{Peer: vali, MultiMedia: []tg.InputSingleMedia{fresh}})
	refused(t, err, 400, "MEDIA_INVALID")
}

// Uploads that are not whole, or not what they say, are refused.
func TestUploads(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500"})
	c := account(t, s, alice, nil)
	part := func(file int64, n int, b []byte) error {
		_, err := c.API().UploadSaveFilePart(c.ctx, &tg.UploadSaveFilePartRequest{FileID: file, FilePart: n, Bytes: b})
		return err
	}
	finish := func(file int64, parts int, sum string) error {
		_, err := c.API().MessagesUploadMedia(c.ctx, &tg.MessagesUploadMediaRequest{Peer: &tg.InputPeerSelf{}, Media: &tg.InputMediaUploadedPhoto{
			File: &tg.InputFile{ID: file, Parts: parts, Name: "x", MD5Checksum: sum},
		}})
		return err
	}
	refused(t, part(1, 0, nil), 400, "FILE_PART_EMPTY")
	refused(t, part(1, -1, []byte("x")), 400, "FILE_PART_INVALID")
	refused(t, part(1, 0, make([]byte, 600<<10)), 400, "FILE_PART_TOO_BIG")
	refused(t, finish(1, 1, ""), 400, "FILE_PARTS_INVALID")
	ok(t, part(2, 1, []byte("x")))
	refused(t, finish(2, 1, ""), 400, "FILE_PART_0_MISSING")
	ok(t, part(3, 0, []byte("x")))
	refused(t, finish(3, 1, "00"), 400, "MD5_CHECKSUM_INVALID")
	ok(t, part(4, 0, []byte("x")))
	ok(t, finish(4, 1, "9dd4e461268c8034f5c8564e155c67a6"))
}
