package post

import (
	"bytes"
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/content"
	"svc/store"
)

// thumb is the picture of a post, small and sealed.
type thumb struct {
	ID      string       `json:"id"` // of the post
	Size    int64        `json:"size"`
	Type    string       `json:"type"`
	At      time.Time    `json:"at"`
	Picture store.Sealed `json:"picture,omitzero"`
}

var (
	thumbs    = store.NewTable("social_thumbnail", "", func(t *thumb) string { return t.ID })
	picture   = thumbs.Sealed("picture", func(t *thumb) *store.Sealed { return &t.Picture })
	thumbByID = thumbs.UniqueAcross("id", func(t *thumb) store.Key { return store.Text(t.ID) })
)

// SetThumb keeps the picture of a post. It counts in the storage of the plan.
func SetThumb(tx *store.Tx, org, id, mediaType string, data []byte) error {
	p, err := posts.Get(tx, org, id)
	if err != nil || p.Deleted || p.Thumb {
		return store.IgnoreNotFound(err)
	}
	if err := content.AddStorage(tx, org, int64(len(data))); err != nil {
		return err
	}
	t := thumb{ID: id, Size: int64(len(data)), Type: mediaType, At: tx.DB().Now()}
	if err := picture.Set(tx, org, &t, data); err != nil {
		return err
	}
	p.Thumb = true
	return errors.Join(thumbs.Insert(tx, org, &t), posts.Put(tx, org, &p))
}

func dropThumb(tx *store.Tx, org string, p *Post) error {
	if !p.Thumb {
		return nil
	}
	p.Thumb = false
	t, err := thumbs.Get(tx, org, p.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return errors.Join(content.AddStorage(tx, org, -t.Size), thumbs.Delete(tx, org, t.ID))
}

// linkLife is how long a link to a picture lives; it begins with the hour, so that browsers keep
// what they have.
const linkLife = 24 * time.Hour

// ThumbLink is the address of the picture of a post below that of the service, "" for none.
func ThumbLink(db *store.DB, p *Post) (string, error) {
	if !p.Thumb {
		return "", nil
	}
	exp := db.Now().Truncate(time.Hour).Add(linkLife).Unix()
	sig, err := signature(db, p.ID, exp)
	return fmt.Sprintf("/api/v1/public/social/thumbnails/%s?exp=%d&sig=%s", p.ID, exp, sig), err
}

func signature(db *store.DB, id string, exp int64) (string, error) {
	return db.Hash("social link", id+" "+strconv.FormatInt(exp, 10))
}

// LinkIn is a link to a picture.
type LinkIn struct {
	ID  string `path:"id" maxLength:"64"`
	Exp string `query:"exp" maxLength:"20" doc:"When the link ends, in Unix seconds."`
	Sig string `query:"sig" maxLength:"128" doc:"Its signature, in hex."`
}

// Linked serves a picture to whoever has a link that is right and not over.
func Linked(c *api.Call, db *store.DB, in LinkIn) (out api.Blob, err error) {
	exp, err := strconv.ParseInt(in.Exp, 10, 64)
	if left := time.Unix(exp, 0).Sub(db.Now()); err != nil || left <= 0 || left > linkLife {
		return out, api.ErrNotFound
	}
	want, err := signature(db, in.ID, exp)
	if err != nil {
		return out, err
	}
	right, err := hex.DecodeString(in.Sig)
	wanted, _ := hex.DecodeString(want) // it is ours
	if err != nil || !hmac.Equal(right, wanted) {
		return out, api.ErrNotFound
	}
	var data []byte
	var t thumb
	err = db.View(c, func(tx *store.Tx) error {
		var org string
		var err error
		if t, org, err = thumbByID.Find(tx, store.Text(in.ID)); err == nil {
			data, err = picture.Open(db, org, &t)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	return api.Blob{Type: t.Type, FileName: in.ID, Inline: true, ETag: in.ID, Modified: t.At, Content: reader{bytes.NewReader(data)}}, nil
}

// reader is a picture in memory, which needs no closing.
type reader struct{ *bytes.Reader }

// Close does nothing.
func (reader) Close() error { return nil }
