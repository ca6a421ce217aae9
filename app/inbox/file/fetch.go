package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"svc/app/api"
	"svc/app/content/media"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
)

const (
	// tries is how often a file is fetched before it is FAILED, in about fifteen hours.
	tries = 20
	// fetchTime bounds one try, and shortWait the wait that a try sits out by itself.
	fetchTime = 30 * time.Minute
	shortWait = 30 * time.Second
	// inMemory bounds the files that are looked at as a whole: bytes. Of others the
	// beginning is.
	inMemory  = 20 << 20
	beginning = 1 << 20
)

// fetching is the job that fetches one file.
type fetching struct {
	Org     string `json:"org"`
	Account string `json:"account"`
	Message string `json:"message"`
	File    string `json:"file"`
}

func (fetching) Kind() string      { return "inbox.fetch" }
func (fetching) Queue() queue.Name { return queue.Media }

// wanted asks for a file of a message that arrived. Those of an imported history wait until
// somebody wants to see them: there may be many.
func (s *Service) wanted(tx *store.Tx, _ *api.Call, w conversation.FileWanted) error {
	name, err := s.vaultName(w.Org, w.File)
	if err != nil {
		return err
	}
	f := kept{ID: w.File, Conversation: w.Conversation, Account: w.Account, Message: w.Message, Kind: w.Kind, Vault: name, At: s.db.Now()}
	if err := files.Insert(tx, w.Org, &f); err != nil || w.Imported {
		return err
	}
	return s.ask(tx, fetching{w.Org, w.Account, w.Message, w.File})
}

func (s *Service) ask(tx *store.Tx, f fetching) error {
	_, err := queue.Add(tx, f, time.Time{}, queue.Once(f.File), queue.InLane(f.Account), queue.Attempts(tries), queue.For(f.Org, f.File))
	return err
}

// elsewhere says that another node connects the account of a file.
func (s *Service) elsewhere(tx *store.Tx, f fetching) (bool, error) {
	src, err := conversation.SourceOf(tx, f.Org, f.Message, f.File)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	return s.o.Networks.Of(src.Conversation.Channel).Elsewhere(tx, src.Conversation.AccountID)
}

// fetch does the job. What became of the file is stored with it or not at all.
func (s *Service) fetch(ctx context.Context, j queue.Job, f fetching) error {
	src, most, err := s.source(ctx, f)
	if err != nil {
		return store.IgnoreNotFound(err) // the message was deleted meanwhile
	}
	if src.File.Status != conversation.Pending {
		return nil
	}
	if src.File.Size > most {
		return s.ended(ctx, f, conversation.TooLarge)
	}
	err = s.bring(ctx, f, &src, most)
	var wait *channel.Later
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return err
	case errors.As(err, &wait):
		return s.pauseAccount(ctx, f, wait.After)
	case errors.Is(err, channel.ErrFileTooLarge):
		return s.ended(ctx, f, conversation.TooLarge)
	case errors.Is(err, channel.ErrFileGone):
		return s.ended(ctx, f, conversation.Unavailable)
	case errors.Is(err, api.ErrPlanLimit), j.Attempts >= j.MaxAttempts:
		return s.ended(ctx, f, conversation.FileFailed)
	}
	return err
}

// source reads what is to be fetched, and how many bytes it may have. An account whose
// network asked to wait waits.
func (s *Service) source(ctx context.Context, f fetching) (src conversation.FileSource, most int64, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		p, err := pauses.Get(tx, f.Org, f.Account)
		if left := p.Until.Sub(s.db.Now()); err == nil && left > 0 && left < 24*time.Hour {
			return queue.Snooze(left)
		}
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		set, err := setting.Get(tx)
		if err != nil {
			return err
		}
		most = int64(set.InboxMaxFileMB) << 20
		src, err = conversation.SourceOf(tx, f.Org, f.Message, f.File)
		return err
	})
	return src, most, err
}

// pauseAccount lets all files of an account wait.
func (s *Service) pauseAccount(ctx context.Context, f fetching, wait time.Duration) error {
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		return pauses.Put(tx, f.Org, &pause{ID: f.Account, Until: s.db.Now().Add(wait)})
	})
	if err != nil {
		return err
	}
	return queue.Snooze(wait)
}

// ended notes that a file is not kept, and since when it is not.
func (s *Service) ended(ctx context.Context, f fetching, status conversation.FileStatus) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		err := conversation.SetFile(tx, f.Org, f.Message, f.File, conversation.Fetched{Status: status})
		if err != nil {
			return ignoreOver(err)
		}
		rec, err := files.Get(tx, f.Org, f.File)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		rec.Tried = tx.DB().Now()
		return files.Put(tx, f.Org, &rec)
	})
}

// ignoreOver ignores that a file has its end, or that its message was deleted.
func ignoreOver(err error) error {
	if errors.Is(err, api.ErrState) {
		return nil
	}
	return store.IgnoreNotFound(err)
}

// bring fetches a file onto the disk and stores its record.
func (s *Service) bring(ctx context.Context, f fetching, src *conversation.FileSource, most int64) error {
	name, err := s.vaultName(f.Org, f.File)
	if err != nil {
		return err
	}
	return s.vault.Locked(name, func() error {
		size, err := s.download(ctx, f, src, most, name)
		if err != nil {
			return err
		}
		rec := kept{
			ID: f.File, Conversation: src.Conversation.ID, Account: f.Account, Message: f.Message, Kind: src.File.Kind, Size: size,
			Width: src.File.Width, Height: src.File.Height, Seconds: src.File.Seconds, Vault: name, At: s.db.Now(),
		}
		if err := s.inspect(ctx, &rec, src.Words.Name); err != nil {
			return err
		}
		return s.db.Update(ctx, func(tx *store.Tx) error { return s.stored(tx, f, &rec, src.Words.Name) })
	})
}

// stored writes the record of a file and tells its message. One whose message was deleted
// meanwhile is left to the next cleaning.
func (s *Service) stored(tx *store.Tx, f fetching, rec *kept, name string) error {
	err := conversation.SetFile(tx, f.Org, f.Message, f.File, conversation.Fetched{
		Status: conversation.Stored, MimeType: rec.Type, Size: rec.Size, Width: rec.Width, Height: rec.Height, Seconds: rec.Seconds, Thumb: rec.Thumb > 0,
	})
	if store.IsNotFound(err) || errors.Is(err, api.ErrState) {
		return nil
	}
	if err != nil {
		return err
	}
	return put(tx, f.Org, rec, name)
}

// download writes the file into the vault, in pieces as they come. A wait that is short is
// sat out here, so that what came need not come again.
func (s *Service) download(ctx context.Context, f fetching, src *conversation.FileSource, most int64, name string) (size int64, err error) {
	if size = src.File.Size; size <= 0 {
		return s.downloadUnmeasured(ctx, f, src, min(most, MaxUpload), name)
	}
	w, err := s.vault.Create(name, size)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	want := channel.Fetch{
		Org: f.Org, Account: src.Conversation.AccountID, Person: src.Conversation.Person, Part: src.File.Part, Ref: src.Words.Ref, Most: min(most, size),
	}
	for {
		n, err := s.o.Networks.Of(src.Conversation.Channel).Fetch(ctx, want, w)
		want.From += n
		var wait *channel.Later
		if err == nil {
			return size, w.Commit()
		}
		if !errors.As(err, &wait) || wait.After > shortWait {
			return 0, err
		}
		t := time.NewTimer(wait.After)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return 0, ctx.Err()
		}
	}
}

// downloadUnmeasured fetches a file whose length the network does not say: it is read whole.
func (s *Service) downloadUnmeasured(ctx context.Context, f fetching, src *conversation.FileSource, most int64, name string) (int64, error) {
	if src.Conversation.Channel == channel.OnMessenger {
		return 0, channel.ErrFileGone // an empty file is none
	}
	var b bytes.Buffer
	want := channel.Fetch{
		Org: f.Org, Account: src.Conversation.AccountID, Person: src.Conversation.Person, Part: src.File.Part, Ref: src.Words.Ref, Most: most,
	}
	n, err := s.o.Networks.Of(src.Conversation.Channel).Fetch(ctx, want, &b)
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, channel.ErrFileGone
	}
	return n, s.vault.Write(name, b.Bytes())
}

// inspect says what a file on the disk is, from its bytes, and makes its thumbnail. A
// program or a page is only bytes: it is saved, and never shown.
func (s *Service) inspect(ctx context.Context, rec *kept, name string) error {
	head, err := s.read(rec, inMemory)
	if err != nil {
		return err
	}
	info, err := media.Inspect(name, head)
	if bad := media.Refused(""); errors.As(err, &bad) {
		info, err = media.Info{Kind: media.Document, Type: plainBytes}, nil
	}
	if err != nil {
		return err
	}
	rec.Type = info.Type
	if info.Width > 0 {
		rec.Width, rec.Height = info.Width, info.Height
	}
	if info.Seconds > 0 {
		rec.Seconds = info.Seconds
	}
	if rec.Size > inMemory || !raster[info.Type] {
		return nil
	}
	thumb, err := media.Thumbnail(ctx, head)
	if err != nil || len(thumb) == 0 {
		return err
	}
	rec.Thumb = int64(len(thumb))
	return s.vault.Write(rec.Vault+thumbEnding, thumb)
}

// read is a file as a whole, or its beginning when it has more than most bytes.
func (s *Service) read(rec *kept, most int64) ([]byte, error) {
	r, err := s.vault.Open(rec.Vault, rec.Size)
	if err != nil {
		return nil, err
	}
	n := rec.Size
	if n > most {
		n = beginning
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return b, errors.Join(err, r.Close())
}
