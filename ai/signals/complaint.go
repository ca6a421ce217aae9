package signals

import "strings"

// complaint says whether the message is dissatisfied with goods, delivery or service.
func (m *message) complaint() bool {
	if m.has(hypothetical) {
		return false
	}
	if m.demandsRefund() {
		return true
	}
	t := m.topic()
	// A question for goods or prices names faults of other things: a screen for a broken
	// phone, what a repair costs.
	asks := m.question && (m.has(stockAsk) || m.has(priceAsk)) || m.question && t&returnT != 0 && t&(badT|brokenT|wrongT) == 0
	future := func(w *word) bool { return w.key == "budet" || w.key == "budut" || w.key == "vill" || w.key == "vil" }
	fault := func(w *word) bool {
		if begins(w.key, "dirt", "gryazn") && m.question && m.has(self) {
			return false // my car is dirty, can I come
		}
		return w.topic&(badT|cheatT) != 0 && !w.neg && w.class&policy == 0 && (w.key == "isportili" || !(m.question && m.first(future) >= 0)) && !(begins(w.key, "isporch") && m.question && m.mends())
	}
	if i := m.first(fault); i >= 0 && !asks {
		return true
	}
	if asks {
		return false
	}
	if i := m.first(func(w *word) bool { return w.topic&brokenT != 0 && w.class&cease == 0 && !w.neg && !m.wearsOut(w) }); i >= 0 && !m.mends() && !m.replaces() && (!m.question || m.has(self) || m.cameBroken()) {
		return true
	}
	if m.reproach() || m.lowQuality() || m.faults() || m.flawed() || m.brokenWord() || m.harmed() || m.unlikeShown() || m.ceased() || m.takenForNothing() || m.unanswered() || m.boughtHere() && m.topic()&overT != 0 {
		return true
	}
	if i := m.first(func(w *word) bool { return begins(w.key, "dozvon") }); i >= 0 && m.before(i, 4, func(w *word) bool { return begins(w.key, "mogu", "smog", "mojem", "nevozmoj") }) && m.before(i, 6, topicIs(noT)) {
		return true // не могу до вас дозвониться
	}
	// bir haftadan beri vaʼda berasiz, три дня обещаете
	promised := func(w *word) bool {
		return begins(w.key, "vada", "obeshaet", "edingiz", "edinglar", "degandingiz", "dedingiz")
	}
	if _, _, ok := m.near(topicIs(longT), promised, 5); ok && !m.question {
		return true
	}
	// в пирожном волос
	inside := func(w *word) bool {
		return w.written == "в" || w.written == "во" || strings.HasSuffix(w.key, "ichida")
	}
	if _, _, ok := m.near(topicIs(foreignT), inside, 3); ok && !m.question && len(m.words) <= 6 && m.topic()&(stockT|sizeT|bookT) == 0 {
		return true
	}
	// ichidan soch chiqdi, в еде нашла волос
	if _, _, ok := m.near(topicIs(foreignT), topicIs(foundT), 4); ok && !m.question {
		return true
	}
	if _, _, ok := m.phrases(faultPhrases...); ok {
		return true
	}
	ownDelay := func(w *word) bool {
		return w.key == "budu" || w.key == "im" || w.topic&lateT != 0 && ends(w.key, "aman", "apman", "aymiz", "vayu", "dayu", "aem")
	}
	if t&lateT != 0 && !m.question && m.first(ownDelay) < 0 && !(m.has(self) && len(m.words) <= 4) {
		return true
	}
	// kutyapman 3 kundan beri, жду уже неделю
	if _, _, ok := m.near(topicIs(waitT), topicIs(longT), 6); ok && !m.future() {
		return true
	}
	// notogri razmer yuboribsiz, прислали не тот цвет
	if m.sentWrong() {
		return true
	}
	if _, _, ok := m.near(topicIs(refundT), func(w *word) bool { return w.class&want != 0 }, 4); ok && !m.question {
		return true
	}
	// hech kim javob bermayapti, никто не берёт трубку
	nobody := func(w *word) bool { return w.topic&nobodyT != 0 && w.key != "kim" }
	if _, _, ok := m.near(nobody, topicIs(replyT), 5); ok {
		return true
	}
	return false
}

// demandsRefund tells pulimni qaytaring, pulni qaytarmayapsiz and верните деньги, whatever is asked beside it.
func (m *message) demandsRefund() bool {
	demand := func(w *word) bool {
		return begins(w.key, "kaytarmayapsiz", "kaytarmadi") || w.topic&refundT != 0 && !w.neg && (w.imp || slavicOrder(w.key) || ends(w.key, "ing", "inglar"))
	}
	_, _, ok := m.near(demand, topicIs(moneyT), 4)
	return ok
}

// faultPhrases are sentences of people who are dissatisfied.
var faultPhrases = []string{
	"not what i ordered", "not what i bought", "не то что заказ", "не что заказывал", "never showed up", "no one picks", "no one answers", "no one replies",
	"no one responds", "half empty", "my money back", "stopped working", "quit working", "перестал работать", "перестала работать", "перестали работать",
	"charged twice", "charged me for", "didnt order this", "перепутали адрес", "перепутали заказ", "перепутали размер", "опять перепутали", "снова перепутали", "charged me twice", "списали дважды", "дважды списали", "невозможно дождаться", "came without", "arrived without", "пришло без",
	"пришел без", "пришла без", "keeps crashing", "keeps breaking", "keeps freezing", "already dead", "were dead", "on hold for",
	"never buying", "never ordering", "больше не закажу", "больше не куплю", "boshqa olmayman", "pulimni yeb", "mazasi yoʻq", "ishdan chiqdi", "ishdan chiqibdi", "ishdan chiqqan", "ishdan chiqib", "вышел из строя", "вышла из строя", "вышло из строя",
	"hech narsa qilmadi", "ничего не сделал", "goʻshakni qoʻy", "goʻshakni qoʻyib", "бросили трубку", "бросила трубку", "бросил трубку", "hung up on", "never shows", "сквозь зубы", "не извинил", "не извинился", "не извинилась", "не извинились",
	"tushib qoldi", "под видом", "out of order", "should be free", "раньше времени", "tushib ketdi", "lost my", "without telling", "without warning", "без предупреждения", "juda sekin", "sifati yoʻq",
	"bittasi kam", "kam chiqdi", "kech keldi", "kech kelibdi", "kech kelgan", "nima ahvol", "kop oldi", "koʻp oldi", "ortiqcha oldi", "не могу дозвон", "не могу вам дозвон", "что за безобразие", "село после", "сел после", "села после", "даже не извинил", "так не делается",
}

// wearsOut tells the verbs that say a fault only beside a thing: rangi ketdi.
func (m *message) wearsOut(w *word) bool {
	switch w.key {
	case "ketdi", "ketib", "koldi", "ochib", "tohtab", "sel", "sela":
		return m.first(func(x *word) bool { return x.topic&(sizeT|brokenT) != 0 && !helps[x.key] }) < 0
	}
	return false
}

// helps are verbs that name no fault by themselves.
var helps = keysOf("ketdi ketib qoldi ochib toxtab sel sela")

func topicIs(c class) func(*word) bool { return func(w *word) bool { return w.topic&c != 0 } }

// faults finds negated verbs that are a fault: ishlamayapti, не включается, never arrived.
func (m *message) faults() bool {
	for i := range m.words {
		w := &m.words[i]
		if w.topic&failT == 0 {
			continue
		}
		if m.before(i, 1, func(x *word) bool { return strings.HasSuffix(x.key, "gim") }) || contains(w.key, "masin") || strings.HasSuffix(w.key, "mayman") || begins(w.key, "tushunma", "tushuntir") {
			continue // olgim kelmaydi: a wish; kelmasin: an order
		}
		if m.before(i, 1, func(x *word) bool { return begins(x.key, "sms", "kod") }) || m.replaces() {
			continue // sms kelmadi; eskisi ishlamayapti, yangisi kerak
		}
		if contains(w.key, "may", "madi", "mabdi", "mas", "magan") && !contains(w.key, "masa", "maslik") && !m.question {
			return true
		}
		if m.before(i, 1, is(need)) {
			continue // не надо доставку
		}
		negated := w.neg && !w.imp || m.before(i, 2, func(x *word) bool { return x.topic&noT != 0 && x.class&emas == 0 })
		if negated && !slavicOrder(w.key) && (!m.question || m.topic()&longT != 0) {
			return true
		}
	}
	return false
}

// cameBroken: sinib keldi, пришло разбитое, arrived broken.
func (m *message) cameBroken() bool {
	came := func(w *word) bool {
		return w.topic&(gotT|arriveT) != 0 && (ends(w.key, "di", "gan", "lo", "la", "li", "el") || w.key == "came" || w.key == "arived")
	}
	_, _, ok := m.near(topicIs(brokenT), came, 2)
	return ok
}

// takenForNothing: pulni oldinglar lekin tovar yoʻq, деньги списали, а заказа нет.
func (m *message) takenForNothing() bool {
	if _, _, ok := m.near(topicIs(moneyT), topicIs(takenT), 3); !ok || m.question {
		return false
	}
	_, _, ok := m.near(is(order), func(w *word) bool { return w.topic&noT != 0 }, 2)
	return ok || m.has(anger)
}

// unanswered: uch kundan beri javob yoʻq, обещали вчера, сегодня тишина.
func (m *message) unanswered() bool {
	if _, _, ok := m.near(topicIs(replyT), func(w *word) bool { return w.written == "yo'q" || w.key == "yok" || w.key == "net" }, 1); ok && m.first(func(w *word) bool {
		return begins(w.key, "beri", "buyon", "nedel", "dney", "dnya", "sutk", "veek", "days")
	}) >= 0 && !m.question {
		return true
	}
	promised := func(w *word) bool { return begins(w.key, "obeshal", "promised", "vadabergan", "vada") }
	return m.first(promised) >= 0 && m.topic()&nobodyT != 0 && !m.question
}

// boughtHere: купил у вас, sizlardan olgan edim, bought from you.
func (m *message) boughtHere() bool {
	from := func(w *word) bool {
		return begins(w.key, "sizdan", "sizlardan", "sendan") || w.key == "vas" || w.key == "you"
	}
	bought := func(w *word) bool {
		return begins(w.key, "kupil", "oldim", "olgan", "olib", "pokupa", "bought", "priobr")
	}
	if _, _, ok := m.near(from, bought, 3); ok {
		return true
	}
	lately := func(w *word) bool {
		return begins(w.key, "kecha", "vchera", "nedel", "yesterday", "hafta", "yangi", "nedavno")
	}
	_, _, ok := m.near(lately, bought, 2)
	return ok && !m.question
}

// reproach: what you did not do: kelmadingiz, qilolmadinglar.
func (m *message) reproach() bool {
	return !m.question && m.first(func(w *word) bool {
		return ends(w.key, "madingiz", "madinglar", "madingizlar", "madiz", "madila")
	}) >= 0 || m.first(func(w *word) bool { // telefonni koʻtarmaysizlar
		return w.topic&(replyT|failT) != 0 && ends(w.key, "maysizlar", "maysiz", "maysila", "maysizla")
	}) >= 0
}

// lowQuality: xizmatingiz past, качество ниже плинтуса.
func (m *message) lowQuality() bool {
	_, _, ok := m.near(topicIs(qualityT), func(w *word) bool {
		return begins(w.key, "past", "nizk", "nije", "hroma") || w.key == "low" || w.key == "zero" || w.key == "nol"
	}, 2)
	return ok && !m.question
}

// replaces tells that something old is broken and another shall be bought.
func (m *message) replaces() bool {
	old := func(w *word) bool { return begins(w.key, "eski") || w.key == "old" || begins(w.key, "star") }
	if _, _, ok := m.near(topicIs(brokenT), old, 3); ok {
		return true
	}
	return (m.topic()&newT != 0 || m.first(old) >= 0) && m.first(plain(need|want|receive)) >= 0
}

// mends tells that a repair is asked for: what is broken was not bought here.
func (m *message) mends() bool {
	if master := func(w *word) bool { return begins(w.key, "usta", "master") }; m.first(master) >= 0 && m.first(func(w *word) bool {
		return w.class&(send|need|callMe|does) != 0 && !w.neg && (w.imp || w.class&need != 0)
	}) >= 0 {
		return true // ustangizni yuboring
	}
	return (m.question || m.has(priceAsk)) && m.first(func(w *word) bool {
		return begins(w.key, "chini", "pochin", "remont", "tuzat", "repair", "fix", "replac", "zameni", "almashtir", "isprav")
	}) >= 0
}

// ceased finds what works no more or does not fit: перестал работать, ishlamay qoʻydi, stopped
// charging; kichkina chiqdi; не хватает одной детали.
func (m *message) ceased() bool {
	if m.question {
		return false
	}
	for i := 1; i < len(m.words); i++ {
		w, before := &m.words[i], &m.words[i-1]
		switch {
		case strings.HasPrefix(before.key, "perestal") && infinitive(strings.TrimSuffix(w.key, "sya")) && !m.has(you),
			before.key == "stoped" && strings.HasSuffix(w.key, "ing") && !m.has(write|send|talk),
			before.uzbek && strings.HasSuffix(before.key, "may") && (w.key == "koldi" || w.key == "koydi"),
			before.written == "то" && w.written == "что" && m.before(i-1, 1, topicIs(noT)) && m.after(i, 2, func(x *word) bool { return begins(x.key, "zakaz", "prosil") }),
			ends(w.key, "mayapti", "mayaptilar") && !m.replaces() && !strings.HasSuffix(before.key, "gim"), // yurmayapti
			misfits[before.key] && (w.key == "chikdi" || w.key == "keldi"),
			before.key == "hvataet" && before.neg && m.after(i-1, 3, is(measure|order)):
			return true
		}
	}
	return false
}

var misfits = keysOf("kichkina kichik kalta tor")

// unlikeShown finds goods that are not as a picture or a description shows them.
func (m *message) unlikeShown() bool {
	shown := func(w *word) bool {
		return w.topic&expectT != 0 && contains(w.key, "dagi", "kartink", "opisan", "promis", "pictur", "advert", "descri", "fotke")
	}
	denied := func(w *word) bool { return w.topic&noT != 0 && w.class&(not|emas) != 0 }
	_, _, ok := m.near(shown, denied, 4)
	return ok && !m.question
}

// slavicOrder tells не привозите from не привезли.
func slavicOrder(key string) bool {
	return len(key) > 3 && (key[len(key)-3:] == "ite" || key[len(key)-3:] == "yte") || key == "come" || key == "fit" || key == "answer"
}

// sentWrong finds the wrong goods: wrong or other things that were sent or came.
func (m *message) sentWrong() bool {
	past := func(w *word) bool {
		if w.imp || slavicOrder(w.key) || contains(w.key, "dim", "ganman", "ibman", "dik") {
			return false // an order, or one's own mistake
		}
		return w.topic&gotT != 0 && (contains(w.key, "ib", "di", "gan", "li", "shel", "shl", "ehal") || w.key == "sent" || w.key == "got" || w.key == "received" || w.key == "delivered" || w.key == "gave" || w.key == "arived" || w.key == "came" || w.key == "ordered")
	}
	i, j, ok := m.near(topicIs(wrongT), past, 5)
	if !ok || m.question && m.topic()&(stockT|priceT) != 0 {
		return false
	}
	for k := max(0, i-1); k <= j; k++ {
		switch w := &m.words[k]; {
		case w.topic&wrongT == 0:
		case w.key == "tot" || w.key == "ta" || w.key == "te" || w.key == "to" || w.key == "toy":
			if w.neg || m.before(k, 1, topicIs(noT)) {
				return true
			}
		case w.key == "boshka":
			if m.first(past) > k {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// future tells that somebody will wait, or asks how long.
func (m *message) future() bool {
	return m.question && m.topic()&howMuchT != 0 || m.first(func(w *word) bool {
		return w.topic&waitT != 0 && contains(w.key, "aman", "amiz", "podojd", "sa") && !contains(w.key, "yap")
	}) >= 0
}
