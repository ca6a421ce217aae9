package sim

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"svc/messenger/platform"
)

// demoPeople write and answer by themselves, in a demonstration.
var demoPeople = []struct{ username, name, asks, answers, comments string }{
	{"nodira", "Nodira Karimova", "Assalomu alaykum, narxi qancha?", "Rahmat, olaman", "Narxi qancha?"},
	{"sergey", "Sergey Kim", "Здравствуйте, есть доставка?", "Спасибо, подумаю", "Сколько стоит?"},
	{"anna", "Anna Lee", "Hi, is it in stock?", "Great, thank you", "Price please"},
}

// demoPosts are the days of content that an account has.
const demoPosts = 90

func (s *Simulator) demoWorld() {
	add := func(network platform.Name, username, name string, followers int) {
		a := s.addAccount(network, username, name)
		a.followers, a.humanAgent, a.demo = followers, true, true
		texts := []string{"Yangi kolleksiya keldi", "Новая коллекция уже здесь", "The new collection is here"}
		for i := range demoPosts {
			at := &post{ID: number("9", fmt.Sprintf("%s post %d", a.id, i)), Text: texts[i%len(texts)], At: s.o.Now().Add(-time.Duration(i) * 24 * time.Hour)}
			who := demoPeople[i%len(demoPeople)]
			p := s.person(network, who.username)
			p.name, p.demo = who.name, true
			at.Comments = append(at.Comments, &comment{ID: number("8", at.ID+" comment"), From: p, Text: who.comments, At: at.At.Add(time.Hour)})
			a.posts = append(a.posts, at)
		}
	}
	add(platform.Photo, "demo_studio", "Demo Studio", 1200)
	add(platform.Photo, "demo_flowers", "Demo Flowers", 340)
	add(platform.Page, "demo_shop", "Demo Shop", 2100)
	add(platform.Page, "demo_cafe", "Demo Cafe", 560)
}

// Waits of people in a demonstration.
const (
	firstWords  = 3 * time.Second
	afterAnswer = 4 * time.Second
)

// connected lets somebody write to an account of a demonstration that was just connected. The
// lock is held.
func (s *Simulator) connected(a *account) {
	if !a.demo || !s.o.Demo || len(a.threads) > 0 {
		return
	}
	for i, who := range demoPeople {
		s.soon(firstWords+time.Duration(i)*2*time.Second, func() { s.says(a, s.person(a.network, who.username), who.asks, "", nil) })
	}
}

// demoAnswers lets somebody answer once. The lock is held.
func (s *Simulator) demoAnswers(a *account, p *person, m *message) {
	if !s.o.Demo || !p.demo || m.Comment != "" {
		return
	}
	out := 0
	for _, x := range s.thread(a, p).messages {
		if x.Out {
			out++
		}
	}
	if out != 1 {
		return
	}
	for _, who := range demoPeople {
		if who.username == p.username {
			s.soon(afterAnswer, func() { s.reads(a, p); s.says(a, p, who.answers, "", nil) })
		}
	}
}

// soon does something with the lock held, unless the simulator was closed meanwhile.
func (s *Simulator) soon(wait time.Duration, do func()) {
	time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.closed {
			do()
		}
	})
}

// demoFile is a picture that people of scenes send.
func (s *Simulator) demoFile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/files/")
	switch name {
	case "photo.png":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	case "gone.png":
		http.NotFound(w, r)
	default:
		s.unmodelled(w, r.Method+" "+r.URL.Path)
	}
}

// picture is a white point.
var picture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\xdac\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xdc\xccY\xe7\x00\x00\x00\x00IEND\xaeB`\x82")

// Say lets somebody write to an account, and answers the id of the message.
func (s *Simulator) Say(network platform.Name, accountID, username, name, text string) (mid string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accountID(network, accountID)
	if a == nil {
		return "", false
	}
	p := s.person(network, username)
	if name != "" {
		p.name = name
	}
	return s.says(a, p, text, "", nil).MID, true
}
