package sim

import (
	"fmt"
	"net/http"
	"slices"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/video"
)

// videoNetwork is what the wire of the video network sees of the world.
type videoNetwork struct{ s *Simulator }

func (n videoNetwork) Channels() (out []video.Channel) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	for _, a := range n.s.accounts {
		if a.network != platform.Video {
			continue
		}
		c := video.Channel{ID: a.id, Username: a.username, Name: a.name, Followers: a.followers}
		for _, p := range a.shownPosts() {
			f := p.now(n.s.o.Now())
			v := video.Video{ID: p.ID, Title: p.Text, Short: p.Kind == platform.KindShort, At: p.At, Views: f.Views, Likes: f.Likes, NoComments: p.NoComments}
			for _, x := range p.live() {
				from := ""
				if x.From != nil {
					from = x.From.username
				}
				v.Comments = append(v.Comments, video.Comment{ID: x.ID, Parent: x.Parent, Text: x.Text, From: from, At: x.At, Likes: x.Likes})
			}
			c.Videos = append(c.Videos, v)
		}
		out = append(out, c)
	}
	return out
}

func (n videoNetwork) SignedIn(token string) (channel string, ok bool) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	a, f := n.s.byToken(token)
	if f != nil {
		return "", false
	}
	return a.id, true
}

func (n videoNetwork) Exchange(code, redirect, verifier string) (video.Grant, bool) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	c, f := n.s.take(platform.Video, code, redirect, verifier)
	if f != nil {
		return video.Grant{}, false
	}
	return video.Grant{Token: c.accounts[0].token(), Scopes: c.scopes}, true
}

func (n videoNetwork) Refresh(token string) (video.Grant, bool) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	a, f := n.s.byToken(token)
	if f != nil || n.s.fires(a, "refreshes").Name != "" {
		return video.Grant{}, false
	}
	return video.Grant{Token: a.token(), Scopes: slices.Clone(a.granted)}, true
}

func (n videoNetwork) Revoke(token string) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	if a, f := n.s.byToken(token); f == nil {
		a.gen++
	}
}

func (n videoNetwork) Counted(list string) {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	n.s.calls["GET "+string(platform.Video)+" "+list]++
}

func (n videoNetwork) Scene(channel string) string {
	n.s.mu.Lock()
	defer n.s.mu.Unlock()
	if a := n.s.accountID(platform.Video, channel); a != nil {
		return n.s.fires(a, "calls").Name
	}
	return ""
}

func (n videoNetwork) Unmodelled(w http.ResponseWriter, what string) { n.s.unmodelled(w, what) }

// answersBelow lets the account or a person answer the newest comment of the newest post.
func (s *Simulator) answersBelow(a *account, p *person, text string) error {
	for _, at := range a.shownPosts() {
		for _, to := range slices.Backward(at.live()) {
			if to.Parent == "" {
				at.Comments = append(at.Comments, &comment{ID: s.next("c_"), Parent: to.ID, Text: text, From: p, At: s.o.Now()})
				return nil
			}
		}
	}
	return fmt.Errorf("there is no comment")
}
