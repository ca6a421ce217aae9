package post

import (
	"strconv"
	"time"

	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/messenger/platform"
	"svc/store"
)

// The keys of what sums count. Marks have the sum of a figure and of how many posts it is known;
// flags count comments.
const (
	Views     = dimension.Score("views")
	Reach     = dimension.Score("reach")
	Reactions = dimension.Score("engagement")
	Likes     = dimension.Score("likes")
	Discussed = dimension.Score("comments")
	Shares    = dimension.Score("shares")
	Saves     = dimension.Score("saves")
	// Base is who saw posts, by reach, else by views; BaseReactions is the engagement of those posts.
	Base          = dimension.Score("base")
	BaseReactions = dimension.Score("base_engagement")
	Mood          = dimension.Score("mood")      // of comments, 1 to 5
	PostMood      = dimension.Score("post_mood") // of posts
	Written       = dimension.Flag("written")    // comments
	JudgedText    = dimension.Flag("judged")     // comments that were judged

	// TopicEngagement adds up the engagement of posts by topic, Hour counts posts by the hour of
	// their day, HourEngagement adds up their engagement.
	TopicEngagement = dimension.Dimension("TOPIC_ENGAGEMENT")
	Hour            = dimension.Dimension("HOUR")
	HourEngagement  = dimension.Dimension("HOUR_ENGAGEMENT")
	Language        = dimension.Dimension("LANGUAGE")
)

// place is where something counts: the day in the zone that the organization had when it was
// first read, so that a row never moves.
func place(at time.Time, zone, account string, p platform.Name) (sums.Place, time.Time) {
	l, err := time.LoadLocation(zone)
	if err != nil {
		l = time.UTC
	}
	at = at.In(l)
	return sums.Place{Day: at.Format(time.DateOnly), Business: account, Channel: string(p)}, at
}

func (p *Post) place() sums.Place {
	out, _ := place(p.At, p.Zone, p.Account, p.Platform)
	return out
}

// counts are what a post adds to the sums.
func (p *Post) counts() (c sums.Counts) {
	if p == nil || p.Deleted {
		return c
	}
	c.Seen = 1
	c.Scores = map[dimension.Score]sums.Mark{}
	for s, x := range map[dimension.Score]*int64{
		Views: p.Metrics.Views, Reach: p.Metrics.Reach, Likes: p.Metrics.Likes, Discussed: p.Metrics.Comments, Shares: p.Metrics.Shares, Saves: p.Metrics.Saves,
	} {
		if x != nil {
			c.Scores[s] = sums.Mark{Sum: int(*x), N: 1}
		}
	}
	n := int(p.Engagement())
	c.Scores[Reactions] = sums.Mark{Sum: n, N: 1}
	base := p.Metrics.Reach
	if base == nil {
		base = p.Metrics.Views
	}
	if base != nil && *base > 0 {
		c.Scores[Base], c.Scores[BaseReactions] = sums.Mark{Sum: int(*base), N: 1}, sums.Mark{Sum: n, N: 1}
	}
	_, at := place(p.At, p.Zone, p.Account, p.Platform)
	hour := strconv.Itoa(at.Hour())
	c.Cases = map[string]int{sums.CaseKey(Hour, hour): 1}
	put := func(key string) {
		if n > 0 {
			c.Cases[key] = n
		}
	}
	put(sums.CaseKey(HourEngagement, hour))
	if p.Judged != nil {
		c.Analysed = 1
		topic := topicOf(p.Judged)[0]
		c.Cases[sums.CaseKey(dimension.ContentTopic, topic)] = 1
		put(sums.CaseKey(TopicEngagement, topic))
		if p.Judged.Sentiment > 0 {
			c.Scores[PostMood] = sums.Mark{Sum: p.Judged.Sentiment, N: 1}
		}
	}
	return c
}

func (c *Comment) place() sums.Place {
	out, _ := place(c.At, c.Zone, c.Account, c.Platform)
	return out
}

// counts are what a comment adds to the sums; what the account wrote itself adds nothing.
func (c *Comment) counts() (out sums.Counts) {
	if c == nil || c.Deleted || c.Own {
		return out
	}
	out.Flags = map[dimension.Flag]int{Written: 1}
	if c.Judged == nil {
		return out
	}
	out.Flags[JudgedText] = 1
	for _, f := range Flags {
		if c.Judged.Has(f) {
			out.Flags[dimension.Flag(f)] = 1
		}
	}
	out.Cases = map[string]int{sums.CaseKey(dimension.CommentTopic, topicOf(c.Judged)[0]): 1}
	if c.Judged.Language != "" {
		out.Cases[sums.CaseKey(Language, c.Judged.Language)] = 1
	}
	if c.Judged.Sentiment > 0 {
		out.Scores = map[dimension.Score]sums.Mark{Mood: {Sum: c.Judged.Sentiment, N: 1}}
	}
	return out
}

// Ledger collects what a transaction adds to the sums, so that each day is written once.
type Ledger struct {
	org  string
	adds map[sums.Place]*sums.Counts
	// gained are views that were seen to come, by account and day.
	gained map[audienceKey]int64
}

// NewLedger makes an empty one. Close it in the same transaction.
func NewLedger(org string) *Ledger {
	return &Ledger{org, map[sums.Place]*sums.Counts{}, map[audienceKey]int64{}}
}

func (l *Ledger) change(p sums.Place, before, after sums.Counts) {
	c := l.adds[p]
	if c == nil {
		c = &sums.Counts{}
		l.adds[p] = c
	}
	c.Add(&before, -1)
	c.Add(&after, 1)
}

// Close writes the sums.
func (l *Ledger) Close(tx *store.Tx) error {
	for p, c := range l.adds {
		if err := Sums.Change(tx, l.org, p, c); err != nil {
			return err
		}
	}
	for k, n := range l.gained {
		if err := addViews(tx, l.org, k, n); err != nil {
			return err
		}
	}
	return nil
}
