package sim

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
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
		for i := range demoPosts {
			a.posts = append(a.posts, s.demoPost(a, i))
		}
	}
	add(platform.Photo, "demo_studio", "Demo Studio", 1200)
	add(platform.Photo, "demo_flowers", "Demo Flowers", 340)
	add(platform.Page, "demo_shop", "Demo Shop", 2100)
	add(platform.Page, "demo_cafe", "Demo Cafe", 560)
	add(platform.Video, "demo_channel", "Demo Channel", 5400)
}

// demoTexts are what accounts publish, and demoComments what people say below.
var (
	demoTexts = []string{
		"Yangi kolleksiya keldi: bahorgi kurtkalar", "Новая коллекция уже здесь: весенние куртки", "The new collection is here: spring jackets",
		"Chegirma: faqat shu hafta 20 foiz", "Скидка 20 процентов только на этой неделе", "This week only: 20 percent off",
		"Yetkazib berish endi bepul", "Доставка теперь бесплатная", "Delivery is free from today",
	}
	demoComments = []string{
		"Narxi qancha?", "Сколько стоит?", "How much is it?", "Juda chiroyli ekan, rahmat!", "Очень красиво, спасибо!", "Lovely, thank you!",
		"Yetkazib berish bormi Samarqandga?", "Заказ так и не пришёл, уже неделя", "Buyurtmam singan holda keldi, yomon xizmat", "Do you ship to Bukhara?",
		"Obuna boʻling, arzon kredit: http://spam.example", "Olaman, qanday buyurtma beraman?",
	}
)

// demoPost is a post of a day, with some comments.
func (s *Simulator) demoPost(a *account, i int) *post {
	at := &post{
		ID: s.postID(a, fmt.Sprintf("%s post %d", a.id, i)), Text: demoTexts[i%len(demoTexts)],
		At: s.o.Now().Add(-time.Duration(i)*24*time.Hour - time.Duration(i*5%14)*time.Hour/2), Kind: platform.KindPost,
	}
	switch {
	case a.network == platform.Video && i%4 == 1:
		at.Kind = platform.KindShort
	case a.network == platform.Video:
		at.Kind = platform.KindVideo
	case a.network == platform.Photo && i%3 == 2:
		at.Kind = platform.KindReel
	}
	for k := range 1 + i%4 {
		who := demoPeople[(i+k)%len(demoPeople)]
		p := s.person(a.network, who.username)
		p.name, p.demo = who.name, true
		text := who.comments
		if k > 0 {
			text = demoComments[(i*5+k*7)%len(demoComments)]
		}
		c := &comment{ID: number("8", fmt.Sprintf("%s comment %d", at.ID, k)), From: p, Text: text, At: at.At.Add(time.Duration(k+1) * time.Hour), Likes: int64((i + k) % 5)}
		if c.At.Before(s.o.Now()) {
			at.Comments = append(at.Comments, c)
		}
	}
	return at
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

// demoFile is a picture that people of scenes send, or that of a post or an account.
func (s *Simulator) demoFile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/files/")
	switch name {
	case "photo.png":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	case "gone.png":
		http.NotFound(w, r)
	default:
		if id, ok := strings.CutPrefix(name, answer.Pictures); ok {
			answer.Picture(w, id)
			return
		}
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
