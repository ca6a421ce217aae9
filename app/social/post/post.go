// Package post keeps what accounts show to the public: posts with their figures and pictures,
// comments, and who follows.
//
// It promises that captions, comments and the names of those who wrote them are sealed; that
// what a network deleted loses its words and stays deleted; that the sums of boards change in
// the transaction of the row that they count; and that rows leave after 90 days while sums and
// daily figures stay (contract 15.11). It refuses to know a network and to say what a text is
// about: packages sync and classify do.
package post

import (
	"time"

	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/messenger/platform"
	"svc/store"
)

// KeptFor is how long rows are kept after they were published.
const KeptFor = 90 * 24 * time.Hour

// Topic is what a text is about, as a machine says.
type Topic struct {
	Case       string  `json:"case,omitempty"` // "" for unclear
	Confidence float64 `json:"confidence,omitempty"`
}

// Judged is what a machine says of a text; nil before it was asked.
type Judged struct {
	Topic     Topic            `json:"topic"`
	Sentiment int              `json:"sentiment,omitempty"` // 1 to 5, 0 for none
	Language  string           `json:"language,omitempty"`
	Flags     map[Flag]float64 `json:"flags,omitempty"`
	At        time.Time        `json:"at"`
}

// Flag is something that may be so of a comment, as a probability.
type Flag string

// The flags.
const (
	Question Flag = "question"
	Grumble  Flag = "complaint"
	Interest Flag = "purchase_interest"
	Spam     Flag = "spam"
)

// Flags lists them.
var Flags = []Flag{Question, Grumble, Interest, Spam}

// Has says whether a flag counts.
func (j *Judged) Has(f Flag) bool { return j != nil && j.Flags[f] >= dimension.LeastTrue }

// Post is a post or a video.
type Post struct {
	ID        string           `json:"id"`
	Account   string           `json:"account"`
	Platform  platform.Name    `json:"platform"`
	External  string           `json:"external"`
	Kind      string           `json:"kind"`
	Permalink string           `json:"permalink"`
	At        time.Time        `json:"at"` // when it was published
	Zone      string           `json:"zone"`
	Metrics   platform.Metrics `json:"metrics"`
	MetricsAt time.Time        `json:"metrics_at,omitzero"`
	// FiguresDue is when its figures are read again, CommentsDue when its comments are; zero: not.
	FiguresDue  time.Time `json:"figures_due,omitzero"`
	CommentsDue time.Time `json:"comments_due,omitzero"`
	CommentsAt  time.Time `json:"comments_at,omitzero"`
	Closed      bool      `json:"closed,omitempty"` // comments are switched off
	// Seen is the last sync that saw it, Absent how many complete listings did not.
	Seen    int  `json:"seen,omitempty"`
	Absent  int  `json:"absent,omitempty"`
	Deleted bool `json:"deleted,omitempty"`
	// Wiping: it is deleted, and comments below it have their words still.
	Wiping bool    `json:"wiping,omitempty"`
	Judged *Judged `json:"judged,omitempty"`
	// Tries counts the failed attempts to judge it.
	Tries int  `json:"tries,omitempty"`
	Thumb bool `json:"thumb,omitempty"` // its picture is kept
	// Pictured: the network has a picture; PictureTries counts attempts to fetch it.
	Pictured     bool         `json:"pictured,omitempty"`
	PictureTries int          `json:"picture_tries,omitempty"`
	Words        store.Sealed `json:"words,omitzero"`
	CreatedAt    time.Time    `json:"created_at"`
	UpdatedAt    time.Time    `json:"updated_at"`
}

// Words are what is sealed of a post.
type Words struct {
	Caption string `json:"caption,omitempty"`
	Picture string `json:"picture,omitempty"` // where it is at the network
}

// Comment is a comment, or an answer to one.
type Comment struct {
	ID       string        `json:"id"`
	Account  string        `json:"account"`
	Platform platform.Name `json:"platform"`
	Post     string        `json:"post"`
	External string        `json:"external"`
	Parent   string        `json:"parent,omitempty"` // what it answers, as the network names it
	At       time.Time     `json:"at"`
	Zone     string        `json:"zone"`
	Likes    int64         `json:"likes,omitempty"`
	Hidden   bool          `json:"hidden,omitempty"`
	Own      bool          `json:"own,omitempty"` // the account wrote it
	Seen     int           `json:"seen,omitempty"`
	Absent   int           `json:"absent,omitempty"`
	Deleted  bool          `json:"deleted,omitempty"`
	Judged   *Judged       `json:"judged,omitempty"`
	Tries    int           `json:"tries,omitempty"`
	Words    store.Sealed  `json:"words,omitzero"`
}

// CommentWords are what is sealed of a comment.
type CommentWords struct {
	Author string `json:"author,omitempty"`
	Text   string `json:"text,omitempty"`
}

// mostTries is how often a text is given to a machine that does not answer for it.
const mostTries = 3

func open(deleted bool, j *Judged, tries int, at time.Time) []store.Key {
	if deleted || j != nil || tries >= mostTries {
		return nil
	}
	return []store.Key{store.Time(at)}
}

// The tables of posts and comments, and what they are found and counted by.
var (
	posts       = store.NewTable("social_post", "pst", func(p *Post) string { return p.ID })
	postWords   = posts.Sealed("words", func(p *Post) *store.Sealed { return &p.Words })
	knownPost   = posts.Unique("external", func(p *Post) store.Key { return store.Tuple(store.Text(p.Account), store.Text(p.External)) })
	byPublished = posts.Index("published", func(p *Post) store.Key { return store.Time(p.At) })
	byReaction  = posts.Index("engagement", func(p *Post) store.Key { return store.Int(p.Engagement()) })
	ofAccount   = posts.Index("account", func(p *Post) store.Key { return store.Tuple(store.Text(p.Account), store.Time(p.At)) })
	toJudge     = posts.Multi("open", func(p *Post) []store.Key { return open(p.Deleted, p.Judged, p.Tries, p.At) })
	figuresDue  = posts.Multi("figures", func(p *Post) []store.Key { return dueKey(p, p.FiguresDue) })
	commentsDue = posts.Multi("comments", func(p *Post) []store.Key { return dueKey(p, p.CommentsDue) })

	toWipe = posts.Multi("wiping", func(p *Post) []store.Key { return keyIf(p.Wiping, store.Text(p.Account)) })

	toPicture = posts.Multi("picture", func(p *Post) []store.Key {
		if p.Thumb || p.Deleted || !p.Pictured || p.PictureTries >= mostTries {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(p.Account), store.Time(p.At))}
	})

	PostAccount  = posts.Facet("account", func(p *Post) []string { return []string{p.Account} })
	PostPlatform = posts.Facet("platform", func(p *Post) []string { return []string{string(p.Platform)} })
	PostKind     = posts.Facet("kind", func(p *Post) []string { return []string{p.Kind} })
	PostTopic    = posts.Facet("topic", func(p *Post) []string { return topicOf(p.Judged) })
	postDeleted  = posts.Facet("deleted", func(p *Post) []string { return onlyIf(p.Deleted) })
	postFigures  = posts.Tally("account", func(p *Post) []string { return tallied(p.Account, p.Deleted, p.Judged) })

	comments     = store.NewTable("social_comment", "cmt", func(c *Comment) string { return c.ID })
	commentWords = comments.Sealed("words", func(c *Comment) *store.Sealed { return &c.Words })
	knownComment = comments.Unique("external", func(c *Comment) store.Key { return store.Tuple(store.Text(c.Account), store.Text(c.External)) })
	byWritten    = comments.Index("at", func(c *Comment) store.Key { return store.Time(c.At) })
	alive        = comments.Multi("alive", func(c *Comment) []store.Key {
		return keyIf(!c.Deleted, store.Tuple(store.Text(c.Post), store.Time(c.At)))
	})
	commentOf     = comments.Index("account", func(c *Comment) store.Key { return store.Tuple(store.Text(c.Account), store.Time(c.At)) })
	commentOpen   = comments.Multi("open", func(c *Comment) []store.Key { return open(c.Deleted || c.Own, c.Judged, c.Tries, c.At) })
	commentsBelow = comments.Tally("post", func(c *Comment) []string { return present(!c.Deleted, c.Post) })

	CommentAccount  = comments.Facet("account", func(c *Comment) []string { return []string{c.Account} })
	CommentPlatform = comments.Facet("platform", func(c *Comment) []string { return []string{string(c.Platform)} })
	CommentPost     = comments.Facet("post", func(c *Comment) []string { return []string{c.Post} })
	CommentTopic    = comments.Facet("topic", func(c *Comment) []string { return topicOf(c.Judged) })
	CommentFlag     = comments.Facet("flag", func(c *Comment) (out []string) {
		for _, f := range Flags {
			if c.Judged.Has(f) {
				out = append(out, string(f))
			}
		}
		return out
	})
	CommentLanguage = comments.Facet("language", func(c *Comment) []string {
		return present(c.Judged != nil && c.Judged.Language != "", languageOf(c.Judged))
	})
	commentFigures = comments.Tally("account", func(c *Comment) []string { return tallied(c.Account, c.Deleted, c.Judged) })
)

func keyIf(yes bool, k store.Key) []store.Key {
	if !yes {
		return nil
	}
	return []store.Key{k}
}

func languageOf(j *Judged) string {
	if j == nil {
		return ""
	}
	return j.Language
}

func dueKey(p *Post, at time.Time) []store.Key {
	if at.IsZero() || p.Deleted {
		return nil
	}
	return []store.Key{store.Tuple(store.Text(p.Account), store.Time(at))}
}

func topicOf(j *Judged) []string {
	if j == nil {
		return nil
	}
	if j.Topic.Case == "" {
		return []string{dimension.Unclear}
	}
	return []string{j.Topic.Case}
}

func onlyIf(yes bool) []string { return present(yes, "yes") }

func present(yes bool, value string) []string {
	if !yes {
		return nil
	}
	return []string{value}
}

func tallied(account string, deleted bool, j *Judged) []string {
	switch {
	case deleted:
		return nil
	case j != nil:
		return []string{account, account + " judged"}
	}
	return []string{account}
}

// Sums are the sums of the boards of content.
var Sums = sums.Keep("social_day")

// Tables are what a store that holds content is opened with.
func Tables() []store.AnyTable {
	return append([]store.AnyTable{posts, comments, thumbs, audiences}, Sums.Tables()...)
}

// Engagement is how often people did something with a post.
func (p *Post) Engagement() (n int64) {
	for _, x := range []*int64{p.Metrics.Likes, p.Metrics.Comments, p.Metrics.Shares, p.Metrics.Saves} {
		if x != nil {
			n += *x
		}
	}
	return n
}

// Counts are how many of an account there are.
type Counts struct {
	Posts    int `json:"posts"`
	Comments int `json:"comments"`
	Analysed int `json:"analyzed"`
}

// CountsOf counts what is kept of an account; what was deleted does not count.
func CountsOf(tx *store.Tx, org, account string) (out Counts, err error) {
	var a, b int
	for to, read := range map[*int]func() (int, error){
		&out.Posts:    func() (int, error) { return postFigures.Count(tx, org, account) },
		&out.Comments: func() (int, error) { return commentFigures.Count(tx, org, account) },
		&a:            func() (int, error) { return postFigures.Count(tx, org, account+" judged") },
		&b:            func() (int, error) { return commentFigures.Count(tx, org, account+" judged") },
	} {
		if *to, err = read(); err != nil {
			return out, err
		}
	}
	out.Analysed = a + b
	return out, nil
}
