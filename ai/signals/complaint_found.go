package signals

import "strings"

// flawed finds what was found to be as it must not be: ichi xom chiqdi, хлеб был чёрствый, the
// room was cold, came with typos; and praise that is denied: sifati yaxshi emas, не понравилось.
func (m *message) flawed() bool {
	if m.question || m.has(want|need) {
		return false
	}
	found := func(w *word) bool {
		return w.uzbek && strings.HasSuffix(w.key, "ibdi") || ends(w.key, "ibdi", "ibsiz", "ibsizlar", "ibdilar", "ibsizla") || foundSo[w.key]
	}
	if _, _, ok := m.near(topicIs(flawT), found, 2); ok {
		return true
	}
	came := func(w *word) bool {
		return w.topic&gotT != 0 || begins(w.key, "posle", "prish", "vish", "after", "kolibdi", "kolgan", "ostal")
	}
	if i, _, ok := m.near(topicIs(markT), came, 4); ok && !m.words[i].imp && m.topic()&priceT == 0 {
		return true
	}
	denied := func(w *word) bool {
		return w.topic&praiseT != 0 && !w.imp && (w.neg || ends(w.key, "madi", "mayapti", "mabdi"))
	}
	if i := m.first(denied); i >= 0 && !m.after(i, 1, func(w *word) bool { return w.key == "emasmi" }) {
		return true
	}
	hali := func(w *word) bool { return w.key == "hali" || begins(w.key, "haliyam", "halyam", "stil") }
	always := func(w *word) bool { return begins(w.key, "postoyanno", "vechno", "doim", "constantl") }
	if _, _, ok := m.near(hali, topicIs(flawT|brokenT), 2); ok {
		return true // hali ham hidlanyapti
	}
	if _, _, ok := m.near(always, topicIs(brokenT|lateT|overT), 2); ok {
		return true
	}
	_, _, again := m.near(topicIs(againT), topicIs(brokenT|overT|failT), 3)
	return again && m.topic()&repairT != 0
}

// harmed finds what goods did to people, what they smell of, and how a courier left them.
func (m *message) harmed() bool {
	if m.question {
		return false
	}
	for _, pair := range [][2]func(*word) bool{
		{func(w *word) bool { return begins(w.key, "rash", "alergi", "razdraje", "toshma", "ojog", "kuydir") }, func(w *word) bool {
			return begins(w.key, "gave", "vizva", "posle", "chik", "berdi", "got", "after", "kildi")
		}},
		{func(w *word) bool { return begins(w.key, "pahn") }, func(w *word) bool {
			return begins(w.key, "hlor", "gar", "plesen", "rezin", "benzin", "plastik", "himi", "krask")
		}},
		{func(w *word) bool { return begins(w.key, "sindirib", "yirtib", "tirnab") }, func(w *word) bool { return begins(w.key, "ketishdi", "ketdi", "koydi", "koyib", "koyish") }},
		{is(carrier), func(w *word) bool { return begins(w.key, "brosil", "shvirn", "threv", "dumped") }},
	} {
		if _, _, ok := m.near(pair[0], pair[1], 4); ok {
			return true
		}
	}
	return false
}

// foundSo are forms by which something is said to have been so.
var foundSo = keysOf("chiqdi chiqqan ekan edi keldi был была было были оказался оказалась оказалось пришел пришёл пришла пришло приехал приехала приехало was were came arrived turned вернули отдали привезли доставили")

// brokenWord finds what was promised and is not so, what is not ready for long, what is still
// missing, and what was taken twice or too much.
func (m *message) brokenWord() bool {
	no := func(w *word) bool { return w.topic&noT != 0 || w.key == "nothing" || ends(w.key, "madi", "mabdi") }
	promised := m.first(func(w *word) bool { return begins(w.key, "obeshal", "promised", "vada") }) >= 0
	if _, _, ok := m.phrases("должны были", "должен был", "должна была", "supposed to", "should have", "kerak edi"); ok && !(m.question && m.has(need)) && m.topic()&(orderT|shipT|arriveT|gotT) != 0 && m.topic()&(timeT|longT) != 0 || ok && m.first(func(w *word) bool { return begins(w.key, "vchera", "kecha", "yesterday") }) >= 0 {
		return true
	}
	long := m.topic()&longT != 0
	if promised && (m.first(no) >= 0 || m.first(func(w *word) bool { return w.key == "gde" || w.key == "kani" || w.key == "vhere" }) >= 0) {
		return true
	}
	if m.question {
		return false
	}
	if _, _, ok := m.near(func(w *word) bool { return begins(w.key, "tayor", "gotov", "ready") }, no, 2); ok && long {
		return true
	}
	if _, _, ok := m.near(topicIs(moneyT), func(w *word) bool { return w.neg && begins(w.key, "vernul", "otdal") }, 5); ok {
		return true // деньги не вернули
	}
	paid := func(w *word) bool { return begins(w.key, "zaplati", "oplati", "toladim", "paid") }
	lacks := func(w *word) bool { return w.topic&noT != 0 && w.class&emas == 0 }
	was := func(w *word) bool { return begins(w.key, "bilo", "bil", "edi", "vas", "nothing") && len(w.key) < 8 }
	if _, _, ok := m.near(lacks, was, 1); ok && m.first(paid) >= 0 {
		return true // заплатил за завтрак, а его не было
	}
	if _, _, ok := m.near(topicIs(moneyT), func(w *word) bool {
		return (w.topic&refundT != 0 || begins(w.key, "kaytma")) && ends(w.key, "madi", "mabdi", "madilar")
	}, 3); ok {
		return true // pulim qaytmadi
	}
	if _, _, ok := m.near(topicIs(moneyT), topicIs(takenT), 3); ok && m.first(no) >= 0 {
		return true // деньги взяли, чек не дали
	}
	if m.first(paid) >= 0 && long && m.first(func(w *word) bool { return w.key == "took" }) >= 0 {
		return true
	}
	lost := func(w *word) bool { return begins(w.key, "poteryali", "yokotdi", "yokotib") }
	if _, _, ok := m.near(lost, is(order), 3); ok {
		return true // вы потеряли мой заказ
	}
	if _, _, ok := m.near(func(w *word) bool { return begins(w.key, "okazal") || w.key == "turned" }, func(w *word) bool { return w.key == "ne" || w.key == "not" }, 1); ok {
		return true // кольцо оказалось не серебряным
	}
	if promised && m.first(func(w *word) bool { return begins(w.key, "propal", "ischez", "yokol", "disap") }) >= 0 {
		return true
	}
	waits := func(w *word) bool { return w.topic&waitT != 0 && contains(w.key, "yap", "vot") }
	if _, _, ok := m.near(waits, func(w *word) bool { return w.key == "kun" || w.key == "hafta" }, 2); ok {
		return true // uchinchi kun kutyapman
	}
	waited := func(w *word) bool {
		return w.topic&waitT != 0 && (ends(w.key, "dal", "dala", "dali", "dim", "dik") || w.key == "vaited")
	}
	if _, _, ok := m.near(waited, func(w *word) bool { return begins(w.key, "minut", "dakika", "chas", "soat", "hour") }, 4); ok {
		return true // ждал 40 минут
	}
	passed := func(w *word) bool { return w.key == "boldi" }
	if _, _, ok := m.near(topicIs(longT), passed, 2); ok && m.first(func(w *word) bool { return w.key == "yok" }) >= 0 {
		return true // bir hafta bo'ldi suratlar yo'q
	}
	still := func(w *word) bool { return begins(w.key, "haligacha", "haliyam", "halyam", "stil") || w.key == "sih" }
	if _, _, ok := m.near(still, no, 3); ok {
		return true
	}
	took := func(w *word) bool {
		return w.topic&takenT != 0 || begins(w.key, "oldin", "olibsiz", "olasiz", "sorashdi", "sorabsiz")
	}
	repeated := func(w *word) bool {
		return w.key == "dvajdi" || w.key == "tvice" || w.key == "kop" || w.key == "lishn" || w.key == "marta" || w.key == "raza"
	}
	_, _, ok := m.near(took, repeated, 4)
	return ok
}
