package platformtest

import (
	"testing"
	"time"

	"svc/messenger/platform"
)

// Content is a network with an account that published nothing yet.
type Content struct {
	Network platform.Network
	Access  platform.Access
	// Publish adds a post of an age, with 900 views and 40 likes; Remove takes the newest away.
	Publish func(text string, ago time.Duration)
	Remove  func()
	// Comment lets somebody comment on the newest post, Answer answers the newest comment.
	Comment func(text string)
	Answer  func(text string)
	Now     func() time.Time
}

// RunContent runs the suite of platform.Reader.
func RunContent(t *testing.T, w Content) {
	t.Helper()
	ctx, n, a := t.Context(), w.Network, w.Access
	since := w.Now().Add(-90 * 24 * time.Hour)
	posts, err := n.Posts(ctx, a, since, "")
	if err != nil || len(posts.Data) != 0 || posts.Next != "" {
		t.Fatalf("nothing was published: %+v, %v", posts, err)
	}
	w.Publish("Eski", 100*24*time.Hour)
	for range 120 {
		w.Publish("Oʻrta", 48*time.Hour)
	}
	before := w.Now()
	w.Publish("Новое", time.Hour)
	after := w.Now()
	var all []platform.Post
	for page := ""; ; {
		if posts, err = n.Posts(ctx, a, since, page); err != nil {
			t.Fatal(err)
		}
		all = append(all, posts.Data...)
		if page = posts.Next; page == "" {
			break
		}
	}
	if len(all) != 121 || all[0].Caption != "Новое" || all[0].Kind == "" || all[0].Permalink == "" || all[0].Thumbnail == "" {
		t.Fatalf("%d posts, the first %+v", len(all), all[0])
	}
	// Networks tell whole seconds.
	if at := all[0].At.Add(time.Hour); at.Before(before.Truncate(time.Second)) || at.After(after) {
		t.Errorf("published at %s", all[0].At)
	}
	newest := all[0].ID
	w.Comment("Narxi qancha?")
	w.Answer("100 000")
	figures(t, &w, newest)
	comments, err := n.Comments(ctx, a, newest, "")
	if err != nil || len(comments.Data) != 2 || comments.Closed {
		t.Fatalf("comments %+v, %v", comments, err)
	}
	byText := map[string]platform.Comment{}
	for _, c := range comments.Data {
		byText[c.Text] = c
	}
	asked, answered := byText["Narxi qancha?"], byText["100 000"]
	if asked.ID == "" || asked.FromName == "" || asked.Post != newest || asked.Parent != "" || asked.At.IsZero() || answered.Parent != asked.ID {
		t.Errorf("comments %+v", comments.Data)
	}
	if n.ListsRecent() {
		recent, err := n.Comments(ctx, a, "", "")
		if err != nil || len(recent.Data) != 2 || recent.Data[0].Post != newest {
			t.Errorf("comments of all posts: %+v, %v", recent, err)
		}
	}
	w.Remove()
	left, err := n.Figures(ctx, a, []string{newest, all[1].ID})
	if err != nil || len(left) != 1 || left[0].ID != all[1].ID {
		t.Errorf("after the newest is gone: %+v, %v", left, err)
	}
	_, err = n.Comments(ctx, a, newest, "")
	fault(t, err, platform.Gone)
	audience, err := n.Audience(ctx, a)
	if err != nil || audience.Followers == nil || *audience.Followers != 1200 {
		t.Errorf("audience %+v, %v", audience, err)
	}
}

func figures(t *testing.T, w *Content, id string) {
	t.Helper()
	list, err := w.Network.Figures(t.Context(), w.Access, []string{id})
	if err != nil || len(list) != 1 || !list[0].Whole {
		t.Fatalf("figures %+v, %v", list, err)
	}
	m := list[0].Metrics
	for name, x := range map[string]struct {
		got  *int64
		want int64
	}{"views": {m.Views, 900}, "likes": {m.Likes, 40}, "comments": {m.Comments, 2}} {
		if x.got == nil || *x.got != x.want {
			t.Errorf("%s: %v, want %d", name, x.got, x.want)
		}
	}
}
