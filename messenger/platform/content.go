package platform

import (
	"context"
	"time"
)

// Metrics are the figures of a post; nil where the network does not tell one.
type Metrics struct {
	Views, Reach, Likes, Comments, Shares, Saves, WatchSeconds *int64
}

// Kinds of posts.
const (
	KindPost  = "POST"
	KindReel  = "REEL"
	KindStory = "STORY"
	KindVideo = "VIDEO"
	KindShort = "SHORT"
)

// Post is a post or a video.
type Post struct {
	ID, Kind, Caption, Permalink string
	// Thumbnail is the address of its picture at the network, which ends; "" for none.
	Thumbnail string
	At        time.Time
	Metrics   Metrics
	// Whole: Metrics are all that the network tells. Else they are likes and comments alone,
	// and Figures tells the rest.
	Whole bool
}

// Posts are a page of them.
type Posts struct {
	Data []Post
	Next string // "" after the last
}

// Comments are a page of them, with the answers below them.
type Comments struct {
	Data []Comment
	Next string // "" after the last
	// Closed: comments are switched off below the post.
	Closed bool
	// Cut: there are older ones that are not listed.
	Cut bool
}

// Audience is who follows an account; nil where the network does not say.
type Audience struct{ Followers, Views *int64 }

// MaxFigures is how many posts Reader.Figures is asked of at once.
const MaxFigures = 50

// Reader reads what an account shows to the public.
type Reader interface {
	Audience(ctx context.Context, a Access) (Audience, error)
	// Posts lists posts since a time, the newest first.
	Posts(ctx context.Context, a Access, since time.Time, after string) (Posts, error)
	// Figures reads posts again, at most MaxFigures; those that are gone are left out.
	Figures(ctx context.Context, a Access, ids []string) ([]Post, error)
	// Comments lists those below a post, the newest first. With post "" they are those below
	// all posts, where the network has such a list (ListsRecent).
	Comments(ctx context.Context, a Access, post, after string) (Comments, error)
	// ListsRecent says that there is a list of the comments below all posts.
	ListsRecent() bool
}

// Finder finds a public account by a link to it.
type Finder interface {
	Find(ctx context.Context, a Access, link string) (Granted, error)
}

// NoMessages are the calls of a network through which nobody writes: all are refused.
type NoMessages struct{}

var errNoMessages = &Error{Fault: Refused, Text: "this network has no messages"}

// Subscribe does nothing: the network sends no webhooks.
func (NoMessages) Subscribe(context.Context, Access) error { return nil }

// Unsubscribe does nothing.
func (NoMessages) Unsubscribe(context.Context, Access) error { return nil }

// Send refuses.
func (NoMessages) Send(context.Context, Access, *Part) (Sent, error) { return Sent{}, errNoMessages }

// PrivateReply refuses.
func (NoMessages) PrivateReply(context.Context, Access, string, string) (Sent, error) {
	return Sent{}, errNoMessages
}

// PublicReply refuses.
func (NoMessages) PublicReply(context.Context, Access, string, string) (string, error) {
	return "", errNoMessages
}

// MarkSeen refuses.
func (NoMessages) MarkSeen(context.Context, Access, string) error { return errNoMessages }

// Typing refuses.
func (NoMessages) Typing(context.Context, Access, string) error { return errNoMessages }

// TakeThread refuses.
func (NoMessages) TakeThread(context.Context, Access, string) error { return errNoMessages }

// Profile refuses.
func (NoMessages) Profile(context.Context, Access, string) (Person, error) {
	return Person{}, errNoMessages
}

// Threads refuses.
func (NoMessages) Threads(context.Context, Access, string) (Threads, error) {
	return Threads{}, errNoMessages
}

// ThreadWith refuses.
func (NoMessages) ThreadWith(context.Context, Access, string) (Thread, error) {
	return Thread{}, errNoMessages
}

// Messages refuses.
func (NoMessages) Messages(context.Context, Access, string, int) ([]Message, error) {
	return nil, errNoMessages
}
