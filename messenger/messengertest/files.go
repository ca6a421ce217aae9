package messengertest

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"svc/messenger"
)

var fileCases = []testCase{
	{"uploaded once for many people", func(s *stage) {
		c, m := s.account(nil)
		f, opened := photo("one", 300_000)
		for i, to := range []string{"ali_karim", "vali_karim"} {
			msg := text(messenger.Target{Username: to}, "rasm", int64(i+1))
			msg.Files = []messenger.File{f}
			if _, err := c.Send(s.ctx, msg); err != nil {
				s.Fatal(describe(err))
			}
		}
		if n := opened.Load(); n != 1 {
			s.Errorf("the file was read %d times, want once", n)
		}
		if ref, _ := m.File(s.ctx, f.Key); len(ref) == 0 {
			s.Error("the upload is not remembered")
		}
		got := s.Taken(s.T)
		if len(got) != 2 || got[0].File == "" || got[0].File != got[1].File || got[0].Text != "rasm" {
			s.Errorf("the platform took %+v", got)
		}
	}},
	{"an expired reference is uploaded again, once", func(s *stage) {
		c, _ := s.account(nil)
		f, opened := photo("one", 1000)
		for i := range 2 {
			msg := text(messenger.Target{Username: "ali_karim"}, "rasm", int64(i+1))
			msg.Files = []messenger.File{f}
			if sent, err := c.Send(s.ctx, msg); err != nil || sent.Duplicate {
				s.Fatalf("%+v, %s", sent, describe(err))
			}
			if err := s.ExpireFiles(); err != nil {
				s.Fatal(err)
			}
		}
		if n := opened.Load(); n != 2 {
			s.Errorf("the file was read %d times, want twice", n)
		}
		if got := s.Taken(s.T); len(got) != 2 {
			s.Errorf("the platform took %+v", got)
		}
	}},
	{"an album, twice", func(s *stage) {
		c, _ := s.account(nil)
		one, _ := photo("one", 1000)
		two, _ := photo("two", 2000)
		msg := text(messenger.Target{Username: "ali_karim"}, "albom", 11, 12)
		msg.Files = []messenger.File{one, two}
		sent, err := c.Send(s.ctx, msg)
		if err != nil || sent.MessageID == 0 {
			s.Fatalf("%+v, %s", sent, describe(err))
		}
		again, err := c.Send(s.ctx, msg)
		if err != nil || !again.Duplicate {
			s.Fatalf("%+v, %s: want a duplicate", again, describe(err))
		}
		got := s.Taken(s.T)
		if len(got) != 2 || got[0].Text != "albom" || got[1].Text != "" || got[0].RandomID != 11 || got[1].RandomID != 12 ||
			got[0].MessageID != sent.MessageID || got[0].Group == 0 || got[0].Group != got[1].Group || got[0].File == got[1].File {
			s.Errorf("the platform took %+v", got)
		}
		msg.RandomIDs = msg.RandomIDs[:1]
		_, err = c.Send(s.ctx, msg)
		s.fault(err, messenger.Refused, "RANDOM_ID_INVALID")
	}},
	{"a large document", func(s *stage) {
		c, _ := s.account(nil)
		f, _ := photo("large", 11<<20)
		f.Kind, f.Name, f.MimeType = "DOCUMENT", "large.bin", "application/octet-stream"
		msg := text(messenger.Target{Username: "ali_karim"}, "", 1)
		msg.Files = []messenger.File{f}
		if _, err := c.Send(s.ctx, msg); err != nil {
			s.Fatal(describe(err))
		}
		if got := s.Taken(s.T); len(got) != 1 || got[0].File == "" {
			s.Errorf("the platform took %+v", got)
		}
	}},
	{"a file that cannot be read", func(s *stage) {
		c, _ := s.account(nil)
		f, _ := photo("one", 1000)
		f.Open = func() (io.ReadCloser, error) { return nil, errors.New("gone") }
		msg := text(messenger.Target{Username: "ali_karim"}, "rasm", 1)
		msg.Files = []messenger.File{f}
		_, err := c.Send(s.ctx, msg)
		s.fault(err, messenger.ContentRefused, "")
		s.nothingTaken()
	}},
	{"a flood while uploading is an answer, not a sleep", func(s *stage) {
		c, _ := s.account(nil)
		if err := s.Flood(number, 41*time.Second, 0); err != nil {
			s.Fatal(err)
		}
		f, _ := photo("one", 1000)
		msg := text(messenger.Target{Username: "ali_karim"}, "rasm", 1)
		msg.Files = []messenger.File{f}
		begin := time.Now()
		_, err := c.Send(s.ctx, msg)
		s.fault(err, messenger.Flood, "FLOOD_WAIT")
		if took := time.Since(begin); took > 10*time.Second {
			s.Errorf("the driver slept %s", took)
		}
	}},
}

// photo is a file of n bytes that counts how often it is read.
func photo(key string, n int) (messenger.File, *atomic.Int32) {
	content := bytes.Repeat([]byte(key), n/len(key)+1)[:n]
	opened := &atomic.Int32{}
	return messenger.File{
		Key: key, Kind: "PHOTO", Name: key + ".jpg", MimeType: "image/jpeg", Size: int64(n), Width: 640, Height: 480,
		Open: func() (io.ReadCloser, error) {
			opened.Add(1)
			return io.NopCloser(bytes.NewReader(content)), nil
		},
	}, opened
}
