package messengertest

import (
	"bytes"
	"errors"
	"io"
	"time"

	"svc/messenger"
)

// download is the content of the file of a message.
func (s *stage) download(c messenger.Conn, m messenger.Incoming, most int64) string {
	s.Helper()
	var b bytes.Buffer
	n, err := c.Download(s.ctx, fileOf(m), &b, most)
	if err != nil || n != int64(b.Len()) {
		s.Fatalf("downloaded %d bytes of %d: %s", b.Len(), n, describe(err))
	}
	return b.String()
}

func fileOf(m messenger.Incoming) messenger.FileRef {
	return messenger.FileRef{Peer: m.Peer.ID, MessageID: m.ID, Ref: m.Media.Ref}
}

// large is a document of several parts, as an account received it.
func (s *stage) large() (messenger.Conn, messenger.Incoming, []byte) {
	s.Helper()
	in := NewInbox()
	c, _ := s.account(in)
	content := bytes.Repeat([]byte("0123456789abcdeF"), 100_000) // 1.6 MB
	s.Tell(s.T, "@ali_karim", number, Content{Files: []Attachment{{
		Media: messenger.Media{Kind: "DOCUMENT", Name: "katta.bin", MimeType: "application/octet-stream"}, Content: content,
	}}})
	return c, s.received(in, 1), content
}

// writing calls f before each write.
type writing struct {
	io.Writer
	f func() error
}

func (w writing) Write(p []byte) (int, error) {
	if err := w.f(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

var downloadCases = []testCase{
	{"in parts, and on from where it broke off", func(s *stage) {
		c, m, content := s.large()
		if got := s.download(c, m, int64(len(content))); got != string(content) {
			s.Errorf("%d bytes came, or others", len(got))
		}
		for _, from := range []int64{1, 512 << 10, 700_001, int64(len(content)) - 1, int64(len(content))} {
			ref := fileOf(m)
			ref.From = from
			var rest bytes.Buffer
			if n, err := c.Download(s.ctx, ref, &rest, 1<<30); err != nil || n != int64(rest.Len()) || !bytes.Equal(rest.Bytes(), content[from:]) {
				s.Errorf("from %d: %d bytes, %s", from, rest.Len(), describe(err))
			}
		}
	}},
	{"references that expire, before and meanwhile", func(s *stage) {
		c, m, content := s.large()
		if err := s.ExpireFiles(); err != nil {
			s.Fatal(err)
		}
		var b bytes.Buffer
		times := 0
		_, err := c.Download(s.ctx, fileOf(m), writing{&b, func() error {
			if times++; times == 2 {
				return s.ExpireFiles()
			}
			return nil
		}}, 1<<30)
		if err != nil || !bytes.Equal(b.Bytes(), content) {
			s.Errorf("%d bytes, %s", b.Len(), describe(err))
		}
	}},
	{"a file that is gone", func(s *stage) {
		c, m, _ := s.large()
		other := fileOf(m)
		other.Peer = vali // it is not of this chat
		if err := s.Unsend(number, m.ID); err != nil {
			s.Fatal(err)
		}
		if err := s.ExpireFiles(); err != nil {
			s.Fatal(err)
		}
		for _, ref := range []messenger.FileRef{fileOf(m), other, {Peer: ali, MessageID: m.ID}, {Peer: ali, MessageID: m.ID, Ref: []byte("{}")}} {
			_, err := c.Download(s.ctx, ref, io.Discard, 1<<30)
			s.fault(err, messenger.FileGone, "")
		}
	}},
	{"a file that is too large is not fetched", func(s *stage) {
		c, m, content := s.large()
		n, err := c.Download(s.ctx, fileOf(m), io.Discard, int64(len(content))-1)
		s.fault(err, messenger.FileTooLarge, "")
		if n != 0 {
			s.Errorf("%d bytes came", n)
		}
	}},
	{"waits are an answer, and what came is kept", func(s *stage) {
		c, m, content := s.large()
		var b bytes.Buffer
		times := 0
		begin := time.Now()
		n, err := c.Download(s.ctx, fileOf(m), writing{&b, func() error {
			if times++; times == 2 {
				return s.FailQuestion("parts", "FLOOD_WAIT_33")
			}
			return nil
		}}, 1<<30)
		if e := s.refused(err, messenger.Flood, "FLOOD_WAIT"); e.Wait != 33*time.Second || time.Since(begin) > 20*time.Second {
			s.Errorf("wait %s after %s", e.Wait, time.Since(begin))
		}
		ref := fileOf(m)
		ref.From = n
		if _, err := c.Download(s.ctx, ref, &b, 1<<30); err != nil || !bytes.Equal(b.Bytes(), content) {
			s.Errorf("%d bytes, %s", b.Len(), describe(err))
		}
	}},
	{"a writer that fails", func(s *stage) {
		c, m, _ := s.large()
		full := errors.New("the disk is full")
		_, err := c.Download(s.ctx, fileOf(m), writing{io.Discard, func() error { return full }}, 1<<30)
		if !errors.Is(err, full) {
			s.Errorf("%v", err)
		}
	}},
}
