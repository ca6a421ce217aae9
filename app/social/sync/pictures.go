package sync

import (
	"bytes"
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/channel"
	"svc/app/content/media"
	"svc/app/social/post"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// picturing is the job that copies the pictures of posts of an account, which end at the network.
type picturing struct {
	Org     string `json:"org"`
	Account string `json:"account"`
}

// Kind implements queue.Args.
func (picturing) Kind() string { return "social.pictures" }

// Queue implements queue.Args.
func (picturing) Queue() queue.Name { return queue.Media }

const (
	picturesAtOnce = 20
	maxPicture     = 8 << 20
	maxWhole       = 256 << 10 // a picture that is kept as it is
	pictureTime    = 20 * time.Second
)

func askPictures(tx *store.Tx, org, account string) error {
	_, err := queue.Add(tx, picturing{org, account}, time.Time{}, queue.Coalesced(account), queue.For(org, account))
	return err
}

func (s *Service) pictures(ctx context.Context, _ queue.Job, a picturing) error {
	sp, err := s.o.Channels.Speak(ctx, a.Org, a.Account)
	if errors.Is(err, channel.ErrAuth) || errors.Is(err, channel.ErrNotReady) || store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var list []post.Post
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		list, err = post.ToPicture(tx, a.Org, a.Account, picturesAtOnce)
		return err
	})
	for i := range list {
		if err == nil {
			err = s.picture(ctx, sp, &list[i])
		}
	}
	if err != nil || len(list) < picturesAtOnce {
		return err
	}
	return queue.Snooze(0)
}

// picture copies one.
func (s *Service) picture(ctx context.Context, sp *channel.Speaker, p *post.Post) error {
	words, err := p.Open(s.db, sp.Org)
	if err != nil {
		return err
	}
	kind, data, failed := fetched(ctx, sp, words.Picture)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		if failed == nil {
			err := post.SetThumb(tx, sp.Org, p.ID, kind, data)
			if !errors.Is(err, api.ErrPlanLimit) {
				return err
			}
			failed = err
		}
		e := platform.As(failed)
		return post.PictureFailed(tx, sp.Org, p.ID, e == nil || e.Fault == platform.Gone)
	})
}

// fetched is a picture, small. A file that is none is an error.
func fetched(ctx context.Context, sp *channel.Speaker, address string) (kind string, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	var b bytes.Buffer
	if _, err := sp.Download(ctx, address, &b, 0, maxPicture); err != nil {
		return "", nil, err
	}
	info, err := media.Inspect("picture", b.Bytes())
	if err != nil {
		return "", nil, err
	}
	thumb, err := media.Thumbnail(ctx, b.Bytes())
	switch {
	case err == nil && len(thumb) > 0:
		return "image/jpeg", thumb, nil
	case info.Kind == media.Photo && b.Len() <= maxWhole:
		return info.Type, b.Bytes(), nil
	}
	return "", nil, errors.Join(err, errNoPicture)
}

var errNoPicture = errors.New("social: what the network gave is no picture")
