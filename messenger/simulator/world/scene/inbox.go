package scene

import (
	"fmt"
	"strconv"
	"strings"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/sample"
)

// maxSample bounds the files that people make up: bytes.
const maxSample = 64 << 20

// sendsLine is what follows "now WHO sends": a file, an album, a place or a contact.
func sendsLine(w Platform, who string, v *words) error {
	c, err := contentOf(v)
	if err != nil {
		return err
	}
	if !v.take("to") {
		return fmt.Errorf("the word to is missing after what is sent")
	}
	to, err := v.next("whom it is for")
	if err != nil {
		return err
	}
	if err := contentOptions(&c, v); err != nil {
		return err
	}
	return deliver(w, who, to, c)
}

// deliver sends from a person to an account, or from the owner of an account to a person.
func deliver(w Platform, from, to string, c record.Content) error {
	if strings.HasPrefix(from, "+") && !strings.HasPrefix(to, "+") {
		_, err := w.TypeContent(from, to, c)
		return err
	}
	_, err := w.SendContent(from, to, c)
	return err
}

// contentOf reads what is sent.
func contentOf(v *words) (c record.Content, err error) {
	word, err := v.next("what is sent")
	if err != nil {
		return c, err
	}
	switch word {
	case "album":
		n, err := v.number("the count of pictures")
		if err != nil || n < 2 || n > record.MaxAlbum {
			return c, fmt.Errorf("an album has 2 to %d pictures", record.MaxAlbum)
		}
		for i := range n {
			c.Files = append(c.Files, sample.Attachment("PHOTO", i, 0))
		}
		return c, nil
	case "place":
		c.Place = &record.Place{}
		if c.Place.Lat, err = v.degrees("the latitude"); err == nil {
			c.Place.Lon, err = v.degrees("the longitude")
		}
		return c, err
	case "contact":
		c.Card = &record.Card{}
		if c.Card.Phone, err = v.next("the number of the contact"); err != nil {
			return c, err
		}
		name, err := v.next("the name of the contact")
		c.Card.First, c.Card.Last, _ = strings.Cut(name, " ")
		return c, err
	}
	kind, ok := sample.Kinds[word]
	if !ok {
		return c, fmt.Errorf("%q is nothing that is sent: photo, video, voice, audio, document, sticker, animation, video-note, album, place or contact", word)
	}
	size := 0
	if v.take("of") {
		if size, err = v.number("the size in bytes"); err != nil {
			return c, err
		}
		if size > maxSample {
			return c, fmt.Errorf("people here send files of at most %d bytes", maxSample)
		}
	}
	c.Files = []record.Attachment{sample.Attachment(kind, 0, size)}
	return c, nil
}

func (v *words) degrees(what string) (float64, error) {
	w, err := v.next(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseFloat(w, 64)
	if err != nil || n < -180 || n > 180 {
		return 0, fmt.Errorf("%s is a number of degrees, not %q", what, w)
	}
	return n, nil
}

// options reads what else is said about a message.
func contentOptions(c *record.Content, v *words) (err error) {
	for err == nil {
		switch {
		case v.take("saying"):
			c.Text, err = v.next("the text")
		case v.take("answering"):
			c.ReplyTo, err = v.number("the id of the message")
		case v.take("forwarded"):
			c.Forward = &record.Forward{At: 1_700_000_000}
			c.Forward.Name, err = v.next("the name of who wrote it first, or \"\" for a hidden one")
		case len(c.Files) > 0 && v.take("named"):
			var name string
			if name, err = v.next("the name of the file"); err == nil {
				c.Files[0].Name = name
			}
		case c.Place != nil && v.take("titled"):
			c.Place.Title, err = v.next("the title of the place")
		default:
			return nil
		}
	}
	return err
}

// chatOf reads the other side of a chat, and finds the account and the person in it; out
// says that who acts is the owner of the account.
func chatOf(who string, v *words) (number, person string, out bool, err error) {
	if !v.take("at") {
		return "", "", false, fmt.Errorf("the word at is missing before the other side of the chat")
	}
	other, err := v.next("the other side of the chat")
	if strings.HasPrefix(who, "+") && !strings.HasPrefix(other, "+") {
		return who, other, true, err
	}
	return other, who, false, err
}

// changesLine is what follows "now WHO edits", "deletes" or "reacts".
func changesLine(w Platform, verb, who string, v *words) (err error) {
	text := ""
	if verb != "deletes" {
		if text, err = v.next("the new text, or the emoji"); err != nil {
			return err
		}
	}
	number, person, out, err := chatOf(who, v)
	if err != nil {
		return err
	}
	side := out
	if verb == "reacts" {
		side = !out // to what the other side wrote
	}
	id, err := w.Newest(number, person, side)
	if err != nil {
		return err
	}
	switch verb {
	case "edits":
		return w.Edit(number, id, text)
	case "deletes":
		return w.Unsend(number, id)
	}
	if out {
		person = ""
	}
	return w.React(number, id, person, text)
}

// readsLine lets a person read what an account wrote, or the owner what a person wrote.
func readsLine(w Platform, who string, v *words) error {
	other, err := v.next("the other side of the chat")
	if err != nil {
		return err
	}
	if strings.HasPrefix(who, "+") && !strings.HasPrefix(other, "+") {
		return w.ReadOwn(who, other, 0)
	}
	return w.Read(other, who, 0)
}
