package social

import (
	"log/slog"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/automation"
	"svc/app/channel"
	"svc/app/insight/board"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/app/insight/story"
	"svc/app/seller/figure"
	social "svc/app/social/boards"
	"svc/app/social/post"
	"svc/app/social/sync"
	"svc/messenger/platform"
	"svc/store"
)

// Service does the operations of the slice.
type Service struct {
	db      *store.DB
	stories *story.Service
	log     *slog.Logger
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/social/accounts/{id}/sync", "social.sync", perm.AIRead, "Read how the content of an account is synced.", s.syncOf),
		api.E("POST /ai/social/accounts/{id}/sync", "social.sync_now", perm.AIManage, "Sync the content of an account now.", s.syncNow, api.Errors(api.ErrState)),
		api.E("GET /ai/social/boards/{board}", "social.board", perm.AIRead, "Read a board of content, or export its figures as CSV.", s.board),
		api.E("POST /ai/social/boards/{board}/narrative", "social.narrative", perm.AIOperate,
			"Have prose written about a board of content, in the background; 200 when there is some about the same figures.", s.narrative),
		api.E("GET /ai/social/posts", "social.posts", perm.AIRead, "List posts and videos of the last 90 days, the newest first.", s.posts),
		api.E("GET /ai/social/posts/{id}", "social.post", perm.AIRead, "Read a post.", s.post),
		api.E("GET /ai/social/comments", "social.comments", perm.AIRead, "List comments, the newest first.", s.comments),
		api.E("GET /public/social/thumbnails/{id}", "public.social_thumbnail", perm.Public, "Fetch the picture of a post by a signed link, which lives a day.",
			func(c *api.Call, in post.LinkIn) (api.Blob, error) { return post.Linked(c, s.db, in) }, api.Errors(api.ErrNotFound)),
	}
}

// Sync is how the content of an account is read.
type Sync struct {
	AccountID string      `json:"account_id"`
	Account   *api.Named  `json:"account"`
	Status    sync.Status `json:"status" enum:"IDLE,RUNNING,FAILED"`
	LastAt    *time.Time  `json:"last_synced_at"`
	NextAt    *time.Time  `json:"next_sync_at" doc:"null: not before the account is connected again."`
	Counts    post.Counts `json:"counts"`
	Quota     *Quota      `json:"quota" doc:"Of the video network, for the whole installation and its day; null for others."`
	ErrorCode *string     `json:"error_code" example:"missing_scope"`
}

// Quota is how much of a day's units is spent.
type Quota struct {
	Used    int       `json:"used"`
	Limit   int       `json:"limit"`
	ResetAt time.Time `json:"reset_at"`
}

type accountIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) syncOf(c *api.Call, in accountIn) (out Sync, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		a, err := channel.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		r, err := sync.Get(tx, c.Org, a.ID)
		if store.IsNotFound(err) {
			r, err = sync.Record{ID: a.ID, Status: sync.Idle}, nil
		}
		if err == nil {
			out, err = shownSync(tx, c.Org, &a, &r)
		}
		return err
	})
	return out, err
}

func shownSync(tx *store.Tx, org string, a *channel.Account, r *sync.Record) (out Sync, err error) {
	out = Sync{
		AccountID: a.ID, Account: api.Ref(org, a.ID), Status: r.Status, LastAt: api.Optional(r.LastAt), NextAt: api.Optional(r.NextAt), ErrorCode: api.Optional(r.Code),
	}
	if r.Asked && r.Status != sync.Running { // it begins any moment
		out.Status, out.ErrorCode = sync.Running, nil
	}
	if out.Counts, err = post.CountsOf(tx, org, a.ID); err != nil || a.Platform != platform.Video {
		return out, err
	}
	q, err := channel.QuotaNow(tx)
	out.Quota = &Quota{q.Used, channel.QuotaLimit, q.Reset}
	return out, err
}

func (s *Service) syncNow(c *api.Call, in accountIn) (out api.MaybeAccepted[Sync], err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := channel.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if !a.Reads() {
			return api.ErrState.WithMessage("The account is not connected; connect it again.")
		}
		r, err := sync.Want(tx, c.Org, a.ID)
		if err != nil {
			return err
		}
		out.Later = true
		if out.Value, err = shownSync(tx, c.Org, &a, &r); err != nil {
			return err
		}
		return audit.Write(tx, c, "social.requested", audit.On("channel_account", a.ID, a.DisplayName()))
	})
	return out, err
}

// Board is a board of content as the API answers it.
type Board struct {
	Board     social.Name      `json:"board" enum:"SOCIAL_OVERVIEW,CONTENT,AUDIENCE,GROWTH"`
	From      time.Time        `json:"from"`
	To        time.Time        `json:"to" doc:"Exclusive."`
	Timezone  string           `json:"timezone" example:"Asia/Tashkent"`
	Platform  *string          `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	AccountID *string          `json:"account_id"`
	Account   *api.Named       `json:"account"`
	Locale    board.Locale     `json:"locale" enum:"uz,ru,en"`
	Posts     int              `json:"posts" doc:"Published in the period."`
	Comments  int              `json:"comments" doc:"Written in the period."`
	Coverage  float64          `json:"coverage" doc:"Which part of them was analysed, 0 to 1."`
	Metrics   []board.Metric   `json:"metrics" nullable:"false"`
	Items     []social.Topic   `json:"items" nullable:"false" doc:"Topics: of posts in CONTENT, of comments in AUDIENCE."`
	Series    []social.Day     `json:"series" nullable:"false"`
	BestTimes []social.Hour    `json:"best_times" nullable:"false" doc:"Of SOCIAL_OVERVIEW."`
	Languages []social.Spoken  `json:"languages" nullable:"false" doc:"Of AUDIENCE."`
	Narrative *board.Narrative `json:"narrative"`
}

type boardIn struct {
	Board     social.Name   `path:"board" enum:"SOCIAL_OVERVIEW,CONTENT,AUDIENCE,GROWTH"`
	Platform  platform.Name `query:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	AccountID string        `query:"account_id" maxLength:"64"`
	From      string        `query:"from" maxLength:"40" doc:"A date or a time; its day counts whole. 30 days ago when left out."`
	To        string        `query:"to" maxLength:"40" doc:"Likewise, exclusive. Now when left out."`
	Locale    board.Locale  `query:"locale" enum:"uz,ru,en" doc:"The organization's when left out."`
	Format    string        `query:"format" enum:"json,csv" default:"json"`
}

// subject is what a board is asked of.
func (in *boardIn) subject(tx *store.Tx, c *api.Call) (x story.Subject, err error) {
	zone, locale, err := board.Where(tx, c.Org, in.Locale)
	if err != nil {
		return x, err
	}
	if in.AccountID != "" {
		if _, err := channel.Named(tx, c.Org, in.AccountID); err != nil {
			return x, err
		}
	}
	span := figure.SpanIn{From: in.From, To: in.To}
	days, err := span.Days(c.Now, zone)
	return story.Subject{Board: string(in.Board), Channel: string(in.Platform), Account: in.AccountID, Locale: locale, Days: days, Zone: zone.String()}, err
}

func (s *Service) board(c *api.Call, in boardIn) (out api.Either[Board], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		x, err := in.subject(tx, c)
		if err != nil {
			return err
		}
		b, err := social.Build(tx, c.Org, &x)
		if err != nil {
			return err
		}
		if in.Format == "csv" {
			out = api.Streamed[Board](b.Export(in.Board))
			return nil
		}
		prose, err := s.stories.About(tx, c.Org, &x, &b.Figures)
		out = api.Whole(Board{
			Board: in.Board, From: b.From.UTC(), To: b.To.UTC(), Timezone: x.Zone, Platform: api.Optional(x.Channel), AccountID: api.Optional(x.Account), Account: api.Ref(c.Org, x.Account),
			Locale: x.Locale, Posts: b.Posts, Comments: b.Comments, Coverage: b.Coverage, Metrics: b.Metrics, Items: b.Topics, Series: b.Series, BestTimes: b.Best, Languages: b.Languages,
			Narrative: prose,
		})
		return err
	})
	return out, err
}

type narrativeIn struct {
	Board social.Name `path:"board" enum:"SOCIAL_OVERVIEW,CONTENT,AUDIENCE,GROWTH"`
	Body  struct {
		From      string         `json:"from" maxLength:"40" doc:"As in the board."`
		To        string         `json:"to" maxLength:"40"`
		Platform  *platform.Name `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
		AccountID *string        `json:"account_id" maxLength:"64"`
		Locale    board.Locale   `json:"locale" required:"true" enum:"uz,ru,en"`
	}
}

func (s *Service) narrative(c *api.Call, in narrativeIn) (out api.MaybeAccepted[board.Narrative], err error) {
	ask := boardIn{Board: in.Board, From: in.Body.From, To: in.Body.To, Locale: in.Body.Locale}
	if in.Body.Platform != nil {
		ask.Platform = *in.Body.Platform
	}
	if in.Body.AccountID != nil {
		ask.AccountID = *in.Body.AccountID
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		x, err := ask.subject(tx, c)
		if err == nil {
			out, err = s.stories.Want(tx, c, &x)
		}
		return err
	})
	return out, err
}

// namesOf are the names of posts: how they begin.
func (s *Service) namesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	out := map[string]string{}
	for _, id := range ids {
		p, err := post.Get(tx, org, id)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w, err := p.Open(tx.DB(), org)
		if err != nil {
			return nil, err
		}
		out[id] = beginning(w.Caption)
	}
	return out, nil
}

const nameLength = 60

func beginning(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	return string(r[:min(len(r), nameLength)])
}

// Topic is what a text is about, as a machine says.
type Topic struct {
	CaseID     *string `json:"case_id" doc:"null: unclear."`
	Label      string  `json:"label" doc:"In the organization's language; UNCLEAR without a case."`
	Confidence float64 `json:"confidence"`
}

// labels are the names of topics, read once for a page.
type labels struct {
	book   cases.Book
	locale board.Locale
}

func labelsOf(tx *store.Tx, org string, list []*post.Judged) (out labels, err error) {
	var ids []string
	for _, j := range list {
		if j != nil && j.Topic.Case != "" {
			ids = append(ids, j.Topic.Case)
		}
	}
	if _, out.locale, err = board.Where(tx, org, ""); err != nil {
		return out, err
	}
	out.book, err = cases.Load(tx, org, ids)
	return out, err
}

func (l *labels) topic(j *post.Judged) *Topic {
	if j == nil {
		return nil
	}
	out := &Topic{Label: dimension.Unclear, Confidence: j.Topic.Confidence}
	if id := l.book.Counts(j.Topic.Case); id != "" {
		out.CaseID, out.Label = &id, l.book[id].Name.In(string(l.locale))
	}
	return out
}

func sentiment(j *post.Judged) *int {
	if j == nil {
		return nil
	}
	return api.Optional(j.Sentiment)
}

// replyTo is the private reply to a comment.
func replyTo(tx *store.Tx, org string, k *post.Comment) (*string, error) {
	id, err := automation.ReplyTo(tx, org, k.Account, k.External)
	return api.Optional(id), err
}
