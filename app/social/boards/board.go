// Package boards answers with what the content of accounts adds up to: four boards over the sums
// that package post keeps, in the form of the boards of conversations, so that the same prose is
// written about them and proven (contract 15.15).
package boards

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"svc/ai/narrative"
	"svc/app/api"
	"svc/app/insight/board"
	"svc/app/insight/dimension"
	"svc/app/insight/story"
	"svc/app/insight/sums"
	"svc/app/social/post"
	"svc/store"
)

// Name is the name of a board.
type Name string

// The boards.
const (
	Overview Name = "SOCIAL_OVERVIEW"
	Content  Name = "CONTENT"
	Audience Name = "AUDIENCE"
	Growth   Name = "GROWTH"
)

// Names lists them; the enums of the API say the same.
var Names = []Name{Overview, Content, Audience, Growth}

// Topic is a row of a board.
type Topic struct {
	board.Item
	Engagement *int `json:"engagement" doc:"Of its posts; null for topics of comments."`
}

// Day is a day of the series.
type Day struct {
	Date   string              `json:"date" example:"2026-05-01"`
	Values map[string]*float64 `json:"values" doc:"The metrics of the board on that day, by key."`
}

// Hour is how posts of an hour of a weekday did.
type Hour struct {
	Weekday    int     `json:"weekday" doc:"1 is Monday, 7 Sunday."`
	Hour       int     `json:"hour" doc:"0 to 23, in the organization's time zone."`
	Posts      int     `json:"posts"`
	Engagement float64 `json:"engagement" doc:"Of a post, on average."`
}

// Spoken is how many comments have a language.
type Spoken struct {
	Language string `json:"language" example:"uz"`
	Comments int    `json:"comments"`
}

// Board is a board with its figures.
type Board struct {
	Posts, Comments int
	Coverage        float64
	Topics          []Topic
	Series          []Day
	Best            []Hour
	Languages       []Spoken
	board.Figures
}

// sum is what the sums of some days and accounts add up to.
type sum struct {
	sums.Counts
	followers *int64
	gained    int64
}

type kind struct {
	dimension dimension.Dimension // of items, "" for none
	whole     string
	metrics   []string
}

var kinds = map[Name]kind{
	Overview: {"", "posts", []string{"posts", "views", "reach", "engagement", "engagement_rate", "comments", "post_mood"}},
	Content:  {dimension.ContentTopic, "analyzed_posts", []string{"posts", "analyzed_posts", "engagement", "likes", "shares", "saves", "unclear_posts"}},
	Audience: {dimension.CommentTopic, "analyzed_comments", []string{"comments", "analyzed_comments", "mood", "question", "complaint", "purchase_interest", "spam"}},
	Growth:   {"", "posts", []string{"followers", "views_gained", "posts", "comments"}},
}

type metric struct {
	board.Label
	value func(*sum) *float64
	max   float64
}

func count(of func(*sum) int) func(*sum) *float64 {
	return func(s *sum) *float64 { n := float64(of(s)); return &n }
}

// total is a sum of a figure, nil where no post has it.
func total(x dimension.Score) func(*sum) *float64 {
	return func(s *sum) *float64 {
		m := s.Scores[x]
		if m.N == 0 {
			return nil
		}
		n := float64(m.Sum)
		return &n
	}
}

func flag(f post.Flag) func(*sum) *float64 {
	return func(s *sum) *float64 { return board.Share(s.Flags[dimension.Flag(f)], s.Flags[post.JudgedText]) }
}

func mean(x dimension.Score) func(*sum) *float64 {
	return func(s *sum) *float64 { return board.Average(&s.Counts, x) }
}

const most = 5 // of a mood

var metrics = map[string]metric{
	"posts": {board.Label{UZ: "Postlar", RU: "Публикации", EN: "Posts", More: board.Words([]string{"post"}, []string{"публикаций", "постов", "посты"}, []string{"post"}), Unit: narrative.Count},
		count(func(s *sum) int { return s.Seen }), 0},
	"analyzed_posts": {board.Label{UZ: "Tahlil qilingan postlar", RU: "Проанализированные публикации", EN: "Analyzed posts", Unit: narrative.Count}, count(func(s *sum) int { return s.Analysed }), 0},
	"views":          {board.Label{UZ: "Koʻrishlar", RU: "Просмотры", EN: "Views", More: board.Words(nil, []string{"просмотров"}, nil), Unit: narrative.Count, Good: 1}, total(post.Views), 0},
	"reach":          {board.Label{UZ: "Qamrov", RU: "Охват", EN: "Reach", More: board.Words(nil, []string{"охвата"}, nil), Unit: narrative.Count, Good: 1}, total(post.Reach), 0},
	"engagement":     {board.Label{UZ: "Faollik", RU: "Вовлечённость", EN: "Engagement", More: board.Words(nil, []string{"вовлеченность", "вовлечённости"}, nil), Unit: narrative.Count, Good: 1}, total(post.Reactions), 0},
	"engagement_rate": {board.Label{UZ: "Faollik ulushi", RU: "Доля вовлечённости", EN: "Engagement rate", Unit: narrative.Share, Good: 1},
		func(s *sum) *float64 { return board.Share(s.Scores[post.BaseReactions].Sum, s.Scores[post.Base].Sum) }, 0},
	"likes":  {board.Label{UZ: "Yoqtirishlar", RU: "Отметки «нравится»", EN: "Likes", Unit: narrative.Count, Good: 1}, total(post.Likes), 0},
	"shares": {board.Label{UZ: "Ulashishlar", RU: "Репосты", EN: "Shares", Unit: narrative.Count, Good: 1}, total(post.Shares), 0},
	"saves":  {board.Label{UZ: "Saqlashlar", RU: "Сохранения", EN: "Saves", Unit: narrative.Count, Good: 1}, total(post.Saves), 0},
	"unclear_posts": {board.Label{UZ: "Mavzusi aniq boʻlmaganlar", RU: "Без ясной темы", EN: "Unclear topic", Unit: narrative.Share},
		func(s *sum) *float64 {
			return board.Share(s.CasesOf(dimension.ContentTopic)[dimension.Unclear], s.Analysed)
		}, 0},
	"post_mood": {board.Label{UZ: "Postlar kayfiyati", RU: "Тон публикаций", EN: "Tone of posts", Unit: narrative.Score, Good: 1}, mean(post.PostMood), most},
	"comments": {board.Label{UZ: "Izohlar", RU: "Комментарии", EN: "Comments", More: board.Words([]string{"izoh"}, []string{"комментариев"}, []string{"comment"}), Unit: narrative.Count, Good: 1},
		count(func(s *sum) int { return s.Flags[post.Written] }), 0},
	"analyzed_comments": {board.Label{UZ: "Tahlil qilingan izohlar", RU: "Проанализированные комментарии", EN: "Analyzed comments", Unit: narrative.Count}, count(func(s *sum) int { return s.Flags[post.JudgedText] }), 0},
	"mood":              {board.Label{UZ: "Kayfiyat", RU: "Настроение", EN: "Sentiment", More: board.Words(nil, []string{"тональность"}, []string{"mood"}), Unit: narrative.Score, Good: 1}, mean(post.Mood), most},
	"question":          {board.Label{UZ: "Savollar", RU: "Вопросы", EN: "Questions", More: board.Words([]string{"savol"}, []string{"вопросов"}, []string{"question"}), Unit: narrative.Share}, flag(post.Question), 0},
	"complaint":         {board.Label{UZ: "Shikoyatlar", RU: "Жалобы", EN: "Complaints", More: board.Words([]string{"shikoyat"}, []string{"жалоб"}, []string{"complaint"}), Unit: narrative.Share, Good: -1}, flag(post.Grumble), 0},
	"purchase_interest": {board.Label{UZ: "Xarid istagi", RU: "Интерес к покупке", EN: "Purchase interest", Unit: narrative.Share, Good: 1}, flag(post.Interest), 0},
	"spam":              {board.Label{UZ: "Spam", RU: "Спам", EN: "Spam", Unit: narrative.Share, Good: -1}, flag(post.Spam), 0},
	"followers": {board.Label{UZ: "Obunachilar", RU: "Подписчики", EN: "Followers", More: board.Words([]string{"obunachi"}, []string{"подписчиков"}, []string{"follower", "subscribers"}), Unit: narrative.Count, Good: 1},
		func(s *sum) *float64 {
			if s.followers == nil {
				return nil
			}
			n := float64(*s.followers)
			return &n
		}, 0},
	"views_gained": {board.Label{UZ: "Yangi koʻrishlar", RU: "Новые просмотры", EN: "New views", Unit: narrative.Count, Good: 1}, count(func(s *sum) int { return int(s.gained) }), 0},
}

// collected are the sums of a board: of its days, of as many before, and of each day.
type collected struct {
	now, was sum
	days     map[string]*sum
}

func (c *collected) day(date string) *sum {
	if c.days[date] == nil {
		c.days[date] = &sum{}
	}
	return c.days[date]
}

// Export are the figures of the board as a table.
func (b *Board) Export(n Name) api.Text {
	return b.CSV(string(n), func(yield func(string, map[string]*float64) bool) {
		for _, d := range b.Series {
			if !yield(d.Date, d.Values) {
				return
			}
		}
	})
}

// Build reads a board about a subject: Channel is the network and Account the account, "" for
// all.
func Build(tx *store.Tx, org string, x *story.Subject) (*Board, error) {
	zone, err := time.LoadLocation(x.Zone)
	if err != nil {
		return nil, err
	}
	k := kinds[Name(x.Board)]
	before := x.Days.Before(zone)
	c := collected{days: map[string]*sum{}}
	first, end := x.Days.Dates[0], x.Days.Dates[len(x.Days.Dates)-1]
	err = post.Sums.Each(tx, org, before.Dates[0], end, func(r *sums.Row) error {
		switch {
		case x.Channel != "" && r.Channel != x.Channel || x.Account != "" && r.Business != x.Account:
		case r.Day < first:
			c.was.Add(&r.Counts, 1)
		default:
			c.now.Add(&r.Counts, 1)
			c.day(r.Day).Add(&r.Counts, 1)
		}
		return nil
	})
	if err == nil {
		err = c.audience(tx, org, x, before.Dates, x.Days.Dates)
	}
	if err != nil {
		return nil, err
	}
	b := &Board{Posts: c.now.Seen, Comments: c.now.Flags[post.Written], Topics: []Topic{}, Best: []Hour{}, Languages: []Spoken{}}
	if texts := b.Posts + b.Comments; texts > 0 {
		b.Coverage = float64(c.now.Analysed+c.now.Flags[post.JudgedText]) / float64(texts)
	}
	b.Figures = board.Figures{
		Whole: k.whole, Before: c.was.Seen+c.was.Flags[post.Written] > 0, From: x.Days.From, To: x.Days.To, Zone: zone, Locale: x.Locale, Items: []board.Item{},
	}
	b.Metrics = shown(&k, x.Locale, &c.now, &c.was, b.Before)
	for _, date := range x.Days.Dates {
		d := Day{Date: date, Values: map[string]*float64{}}
		for _, m := range shown(&k, x.Locale, c.day(date), &sum{}, false) {
			d.Values[m.Key] = m.Value
		}
		b.Series = append(b.Series, d)
	}
	switch Name(x.Board) {
	case Overview:
		b.Best = best(c.days)
	case Audience:
		b.Languages = languages(&c.now)
	}
	return b, b.topics(tx, org, &k, &c)
}

func shown(k *kind, l board.Locale, now, was *sum, compare bool) (out []board.Metric) {
	for _, key := range k.metrics {
		x := metrics[key]
		m := board.Metric{Key: key, Label: x.In(l), Value: x.value(now), Unit: x.Unit, Names: x.More[l], Good: x.Good}
		if compare {
			m.Previous = x.value(was)
		}
		if x.max > 0 {
			m.Max = &x.max
		}
		out = append(out, m)
	}
	return out
}

// audience adds followers and the views that came. Who follows on a day is what was known last.
func (c *collected) audience(tx *store.Tx, org string, x *story.Subject, before, days []string) error {
	known := map[string]int64{}
	all := func() *int64 {
		if len(known) == 0 {
			return nil
		}
		n := int64(0)
		for _, f := range known {
			n += f
		}
		return &n
	}
	seen := map[string][]*post.Audience{}
	err := post.EachAudience(tx, org, before[0], days[len(days)-1], func(a *post.Audience) {
		if x.Channel != "" && string(a.Platform) != x.Channel || x.Account != "" && a.Account != x.Account {
			return
		}
		one := *a
		seen[a.Day] = append(seen[a.Day], &one)
	})
	take := func(date string, to *sum) {
		for _, a := range seen[date] {
			to.gained += a.Gained
			if a.Followers != nil {
				known[a.Account] = *a.Followers
			}
		}
	}
	for _, date := range before {
		take(date, &c.was)
	}
	c.was.followers = all()
	for _, date := range days {
		take(date, &c.now)
		d := c.day(date)
		for _, a := range seen[date] {
			d.gained += a.Gained
		}
		d.followers = all()
	}
	c.now.followers = all()
	return err
}

// topics are the rows of a board: of posts those of most engagement first.
func (b *Board) topics(tx *store.Tx, org string, k *kind, c *collected) (err error) {
	if k.dimension == "" {
		return nil
	}
	if b.Items, err = board.Items(tx, org, b.Locale, k.dimension, &c.now.Counts, &c.was.Counts); err != nil {
		return err
	}
	engagement := c.now.CasesOf(post.TopicEngagement)
	for _, it := range b.Items {
		t := Topic{Item: it}
		if k.dimension == dimension.ContentTopic {
			n := engagement[it.CaseID]
			t.Engagement = &n
		}
		b.Topics = append(b.Topics, t)
	}
	if k.dimension == dimension.ContentTopic {
		slices.SortStableFunc(b.Topics, func(x, y Topic) int { return *y.Engagement - *x.Engagement })
	}
	return nil
}

// mostBest is how many hours are named.
const mostBest = 5

// best are the hours of weekdays whose posts did best, from two posts on where there are such.
func best(days map[string]*sum) (out []Hour) {
	type slot struct{ weekday, hour int }
	posts, reactions := map[slot]int{}, map[slot]int{}
	for date, s := range days {
		at, err := time.Parse(time.DateOnly, date)
		if err != nil {
			continue
		}
		weekday := (int(at.Weekday())+6)%7 + 1
		add := func(to map[slot]int, d dimension.Dimension) {
			for hour, n := range s.CasesOf(d) {
				if h, err := strconv.Atoi(hour); err == nil {
					to[slot{weekday, h}] += n
				}
			}
		}
		add(posts, post.Hour)
		add(reactions, post.HourEngagement)
	}
	for k, n := range posts {
		out = append(out, Hour{k.weekday, k.hour, n, float64(reactions[k]) / float64(n)})
	}
	if often := slices.DeleteFunc(slices.Clone(out), func(h Hour) bool { return h.Posts < 2 }); len(often) > 0 {
		out = often
	}
	slices.SortFunc(out, func(a, b Hour) int {
		return cmp.Or(cmp.Compare(b.Engagement, a.Engagement), cmp.Compare(a.Weekday, b.Weekday), cmp.Compare(a.Hour, b.Hour))
	})
	return append([]Hour{}, out[:min(len(out), mostBest)]...)
}

func languages(s *sum) []Spoken {
	out := []Spoken{}
	for l, n := range s.CasesOf(post.Language) {
		out = append(out, Spoken{l, n})
	}
	slices.SortFunc(out, func(a, b Spoken) int { return cmp.Or(b.Comments-a.Comments, cmp.Compare(a.Language, b.Language)) })
	return out
}
