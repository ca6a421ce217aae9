package telegram

import (
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/dial"
	"svc/messenger/telegram/entity"
)

func TestEntities(t *testing.T) {
	in := []messenger.Entity{
		{Type: "bold", Offset: 1, Length: 2}, {Type: "italic", Offset: 2, Length: 3}, {Type: "underline", Length: 1},
		{Type: "strikethrough", Length: 1}, {Type: "spoiler", Length: 1}, {Type: "code", Length: 1},
		{Type: "pre", Length: 4, Language: "go"}, {Type: "blockquote", Length: 5, Collapsed: true},
		{Type: "unheard of", Length: 9}, {Type: "text_url", Length: 6, URL: "https://example.com"},
	}
	want := []tg.MessageEntityClass{
		&tg.MessageEntityBold{Offset: 1, Length: 2}, &tg.MessageEntityItalic{Offset: 2, Length: 3}, &tg.MessageEntityUnderline{Length: 1},
		&tg.MessageEntityStrike{Length: 1}, &tg.MessageEntitySpoiler{Length: 1}, &tg.MessageEntityCode{Length: 1},
		&tg.MessageEntityPre{Length: 4, Language: "go"}, &tg.MessageEntityBlockquote{Length: 5, Collapsed: true},
		&tg.MessageEntityTextURL{Length: 6, URL: "https://example.com"},
	}
	if got := entity.Of(in); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if entity.Of(nil) != nil {
		t.Error("entities of a plain text")
	}
}

func TestFilesAsThePlatformCallsThem(t *testing.T) {
	file := &tg.InputFile{ID: 1}
	name := &tg.DocumentAttributeFilename{FileName: "a.bin"}
	for kind, want := range map[string]tg.InputMediaClass{
		"PHOTO": &tg.InputMediaUploadedPhoto{File: file},
		"DOCUMENT": &tg.InputMediaUploadedDocument{File: file, MimeType: "application/octet-stream", ForceFile: true,
			Attributes: []tg.DocumentAttributeClass{name}},
		"VIDEO": &tg.InputMediaUploadedDocument{File: file, MimeType: "application/octet-stream",
			Attributes: []tg.DocumentAttributeClass{&tg.DocumentAttributeVideo{SupportsStreaming: true, Duration: 7, W: 3, H: 2}, name}},
		"ANIMATION": &tg.InputMediaUploadedDocument{File: file, MimeType: "application/octet-stream", NosoundVideo: true,
			Attributes: []tg.DocumentAttributeClass{&tg.DocumentAttributeAnimated{}, &tg.DocumentAttributeVideo{Duration: 7, W: 3, H: 2}, name}},
		"AUDIO": &tg.InputMediaUploadedDocument{File: file, MimeType: "application/octet-stream",
			Attributes: []tg.DocumentAttributeClass{&tg.DocumentAttributeAudio{Duration: 7}, name}},
		"VOICE": &tg.InputMediaUploadedDocument{File: file, MimeType: "application/octet-stream",
			Attributes: []tg.DocumentAttributeClass{&tg.DocumentAttributeAudio{Voice: true, Duration: 7}, name}},
	} {
		got := fresh(messenger.File{Kind: kind, Name: "a.bin", Width: 3, Height: 2, Seconds: 7}, file)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	long := fresh(messenger.File{Kind: "AUDIO", MimeType: "audio/ogg", Seconds: math.MaxInt}, file).(*tg.InputMediaUploadedDocument)
	if a := long.Attributes[0].(*tg.DocumentAttributeAudio); a.Duration != maxSeconds || long.MimeType != "audio/ogg" {
		t.Errorf("%+v", long)
	}
}

func TestSentAs(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	album := []tg.UpdateClass{
		&tg.UpdateMessageID{ID: 8, RandomID: 80}, &tg.UpdateMessageID{ID: 9, RandomID: 90},
		&tg.UpdateNewMessage{Message: &tg.Message{ID: 9}}, &tg.UpdateNewMessage{Message: &tg.Message{ID: 8}},
	}
	for _, u := range []tg.UpdatesClass{
		&tg.UpdateShortSentMessage{ID: 8, Date: 1700000000},
		&tg.Updates{Updates: album, Date: 1700000000},
		&tg.UpdatesCombined{Updates: album, Date: 1700000000},
		&tg.Updates{Updates: []tg.UpdateClass{&tg.UpdateNewMessage{Message: &tg.Message{ID: 8}}}, Date: 1700000000},
	} {
		if id, when := sentAs(u, 80); id != 8 || !when.Equal(at) {
			t.Errorf("%T: message %d at %s", u, id, when)
		}
	}
	if id, when := sentAs(&tg.Updates{}, 80); id != 0 || when.IsZero() {
		t.Errorf("an empty answer: message %d at %s", id, when)
	}
}

func TestSecrets(t *testing.T) {
	plain := "00112233445566778899aabbccddeeff"
	raw, _ := hex.DecodeString(plain)
	for in, want := range map[string]string{
		plain:                      string(raw),
		strings.ToUpper(plain):     string(raw),
		" " + plain + "\n":         string(raw),
		"dd" + plain:               "\xdd" + string(raw),
		"ee" + plain + "612e6578":  "\xee" + string(raw) + "a.ex",
		"ABEiM0RVZneImaq7zN3u_w":   string(raw),
		"ABEiM0RVZneImaq7zN3u/w==": string(raw),
		"3QARIjNEVWZ3iJmqu8zd7v8":  "\xdd" + string(raw),
	} {
		if got, err := dial.SecretOf(in); err != nil || string(got) != want {
			t.Errorf("%q: %x, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "00", plain[2:], "ef" + plain, "ee" + plain, "dd" + plain + "00", "not base64!", "ee" + strings.Repeat("61", 16+254+17)} {
		if got, err := dial.SecretOf(in); err == nil {
			t.Errorf("%q: %x", in, got)
		} else if len(in) > 2 && strings.Contains(err.Error(), in) {
			t.Errorf("the error repeats the secret: %v", err)
		}
	}
}

func FuzzSecret(f *testing.F) {
	f.Add("dd00112233445566778899aabbccddeeff")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := dial.SecretOf(s)
		if err == nil && len(got) != 16 && got[0] != 0xdd && got[0] != 0xee {
			t.Errorf("%q: %x", s, got)
		}
	})
}
