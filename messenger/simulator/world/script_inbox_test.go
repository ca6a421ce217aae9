package world

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotd/td/tg"
	_ "golang.org/x/image/webp"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/sample"
)

// heard describes what an account has, a line for each message.
func heard(w *World, number string) (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.account(number)
	if err != nil {
		return nil
	}
	for _, m := range a.messages {
		s := fmt.Sprintf("%d %d", m.ID, m.Peer)
		if m.Out {
			s += " out"
		}
		if f := w.files.get(m.File); f != nil {
			s += " " + f.Mime
		}
		if m.Group != 0 {
			s += " album"
		}
		if m.ReplyTo != 0 {
			s += fmt.Sprint(" re ", m.ReplyTo)
		}
		if x := m.Extra; x != nil {
			switch {
			case x.Place != nil:
				s += fmt.Sprint(" at ", x.Place.Lat, " ", x.Place.Lon, " ", x.Place.Title)
			case x.Card != nil:
				s += " card " + x.Card.Phone
			case x.Forward != nil:
				s += " of " + x.Forward.Name
			}
			for _, r := range x.Reactions {
				s += fmt.Sprint(" ", r.Emoji, r.Out)
			}
		}
		if m.EditedAt != 0 {
			s += " edited"
		}
		out = append(out, s+" "+m.Text)
	}
	return out
}

// Each thing that happens in a chat has a line that makes it happen.
func TestScriptInbox(t *testing.T) {
	w := open(t, Options{})
	signIn(t, w, alice)
	ok(t, w.Script(strings.ReplaceAll(`
person @ali id 500 name "Ali Valiyev"
now @ali says "salom" to ALICE
now @ali sends photo of 300000 to ALICE saying "mana" answering 1
now @ali sends album 2 to ALICE saying albom
now @ali sends place 41.31 69.24 to ALICE titled Chorsu
now @ali sends contact +998901112244 "Vali Karimov" to ALICE
now ALICE sends voice to @ali
now @ali says "boshqaning gapi" to ALICE forwarded Vali
now ALICE types "men" to 500
now @ali edits "uniki" at ALICE
now @ali reacts 👍 at ALICE
now ALICE reacts 🔥 at @ali
now @ali sends sticker to ALICE
now @ali deletes at ALICE
now ALICE reads @ali
now @ali reads ALICE
now files expire`, "ALICE", alice)))
	want := []string{
		"1 500 salom", "2 500 image/jpeg re 1 mana", "3 500 image/jpeg album albom", "4 500 image/jpeg album ",
		"5 500 at 41.31 69.24 Chorsu ", "6 500 card +998901112244 ", "7 500 out audio/ogg ",
		"8 500 of Vali 🔥true edited uniki", "9 500 out 👍false men",
	}
	if got := heard(w, alice); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	a := w.accounts[10_901_000_001]
	if a.readIn[500] != 8 || a.readOut[500] != 9 || w.files.epoch != 2 || a.unread(500) != 0 {
		t.Errorf("read up to %d and %d, epoch %d", a.readIn[500], a.readOut[500], w.files.epoch)
	}
	if f := w.files.get(a.messages[1].File); f.Size != 300_000 {
		t.Errorf("the photo has %d bytes", f.Size)
	}
}

// A file is what it says: whoever looks at its bytes finds the same.
func TestSamples(t *testing.T) {
	for kind, want := range map[string]string{
		"PHOTO": "image/jpeg", "STICKER": "image/webp", "VOICE": "application/ogg", "DOCUMENT": "application/pdf",
		"VIDEO": "video/mp4", "VIDEO_NOTE": "video/mp4", "ANIMATION": "video/mp4",
	} {
		x := sample.Attachment(kind, 1, 100_000)
		if got := http.DetectContentType(x.Content); got != want || len(x.Content) < 100_000 {
			t.Errorf("%s is %s, %d bytes", kind, got, len(x.Content))
		}
		if kind == "PHOTO" || kind == "STICKER" {
			c, _, err := image.DecodeConfig(bytes.NewReader(x.Content))
			if err != nil || c.Width != x.Width || c.Height != x.Height {
				t.Errorf("%s: %+v, %v", kind, c, err)
			}
		}
	}
	if x := sample.Attachment("AUDIO", 0, 0); x.Content[0] != 0xff {
		t.Error("the music is none")
	}
	f := fileOf(&record.Attachment{Kind: "VOICE", Seconds: 3, Waveform: []byte{1}})
	if !bytes.Equal(f.Attributes, vector([]tg.DocumentAttributeClass{func() *tg.DocumentAttributeAudio {
		v := &tg.DocumentAttributeAudio{Voice: true, Duration: 3}
		v.SetWaveform([]byte{1})
		return v
	}()})) {
		t.Error("a voice message is described in another way")
	}
}

// People who write by themselves do, in turn, everything that people do in a chat.
func TestLife(t *testing.T) {
	w := open(t, Options{})
	told := make(chan struct{}, 1)
	w.OnChange(func() {
		select {
		case told <- struct{}{}:
		default:
		}
	})
	ok(t, w.Script("people user_ 1..3 id 6000\nlife of "+alice+" from user_ 1..3 in ru,uz every 1ms"))
	signIn(t, w, alice)
	deadline := time.After(time.Minute)
	for all := ""; ; {
		select {
		case <-told:
		case <-deadline:
			t.Fatalf("not everything happened:\n%s", all)
		}
		if n := len(w.Events()); n > 0 {
			all = strings.Join(heard(w, alice), "\n")
		}
		missing := false
		for _, part := range []string{
			"6000 Здравствуйте", "6001 Assalomu", "image/jpeg", "audio/ogg", "application/pdf", "video/mp4", "image/webp", "audio/mpeg",
			"album", "Chorsu", "card", "edited",
		} {
			missing = missing || !strings.Contains(all, part)
		}
		if !missing {
			break
		}
	}
	ok(t, w.Close())
}
