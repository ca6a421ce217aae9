package narrative

import (
	"strings"

	"svc/geo/text/script"
)

// stemsOf are the beginnings of words, by their keys (script.Key), of all three languages: the
// language itself is checked elsewhere. A word that ends in a dollar sign must be whole.
func stemsOf(words string) (out []string) {
	for _, w := range strings.Fields(words) {
		whole := strings.HasSuffix(w, "$")
		k := ""
		for _, t := range script.Tokens(strings.TrimSuffix(w, "$")) {
			k += script.Key(t)
		}
		if whole {
			k += "$"
		}
		out = append(out, k)
	}
	return out
}

func anyOf(key string, stems []string) bool {
	for _, s := range stems {
		if whole, is := strings.CutSuffix(s, "$"); is && key == whole || !is && strings.HasPrefix(key, s) {
			return true
		}
	}
	return false
}

// The words that claim something.
var (
	upWords = stemsOf(`grew$ grow$ grows growing grown growth rose$ rise$ rises rising risen increas climb higher$ gained jumped surged
		o'sdi o'sgan o'sib o'sish o'smadi o'smagan ortdi ortgan ortib ortmadi oshdi oshgan oshib oshmadi ko'paydi ko'paygan ko'payib ko'paymadi ko'paymagan yuqoriladi ko'tarildi ko'tarilgan ko'tarilmadi
		вырос выросл рост$ роста$ росл росла растёт растет растут увелич повыс повыш поднял прибав возрос`)
	downWords = stemsOf(`fell$ fall$ falls falling fallen declin decreas drop dropp lower$ fewer$ shrank shrunk reduced$ slipped
		kamaydi kamaygan kamayib kamaymadi kamaymagan pasaydi pasaygan pasayib pasaymadi tushdi tushgan tushib tushmadi qisqardi qisqargan
		упал упад снизи снижен снижа уменьш сократ сокращ убав`)
	betterWords = stemsOf(`improv better$ yaxshilan yaxshilandi улучш лучше$`)
	worseWords  = stemsOf(`worsen worse$ deteriorat yomonlash ухудш хуже$`)
	stillWords  = stemsOf(`unchanged$ stable$ steady$ flat$ o'zgarmadi o'zgarmagan o'zgarishsiz barqaror стабил неизмен`)
	notWords    = stemsOf(`not$ didn$ didnt$ never$ не$ emas$`)

	mostWords  = stemsOf(`most$ top$ largest$ highest$ biggest$ greatest$ maximum$ наибольш самы самый$ самая$ самое$ самые$ самой$ самым$ максимал`)
	leastWords = stemsOf(`least$ fewest$ lowest$ smallest$ minimum$ rarest$ наименьш минимал`)
	// A word of the first kind followed by one of the second is a superlative.
	superBefore = stemsOf(`eng$ больше$ чаще$ меньше$ реже$`)
	superMore   = stemsOf(`ko'p katta yuqori tez baland asosiy всего$ всех$`)
	superLess   = stemsOf(`kam kichik past oz$`)
	lessWords   = stemsOf(`меньше$ реже$ less$ fewer$ rarer$ kamroq$ низк маленьк редк мал$`)
	moreWords   = stemsOf(`more$ больше$ чаще$ ko'proq$ higher$`)
	thanWords   = stemsOf(`than$ чем$ qaraganda$ nisbatan$`)

	majorityWords = stemsOf(`majority$ большинств ko'pchilig ko'pchilik aksariyat`)
	halfWords     = stemsOf(`half$ halved$ половин yarmi yarmini yarmidan`)

	andWords  = stemsOf(`and$ va$ и$ hamda$`)
	stopWords = stemsOf(`but$ while$ whereas$ lekin$ ammo$ biroq$ но$ а$ однако$ esa$ тогда$`)

	percentWords = stemsOf(`percent percentage foiz процент пункт punkt points$ point$`)
	timesWords   = stemsOf("marta$ martaga$ martadan$ martalik$")
	dayWords     = stemsOf(`days$ day$ kun дней$ дня$ день$ sutka сут`)
	ofWords      = stemsOf(`of$ из$ dan$ balldan$`)
)

// months are the numbers of the months, by beginnings of their keys.
var months = func() map[string]int {
	out := map[string]int{}
	for n, words := range [12]string{"yanvar январ january jan$", "fevral феврал february feb$", "mart март march mar$", "aprel апрел april apr$", "may$ mayda$ май$ мая$ мае$ may$ maydan$ maygacha$", "iyun июн june jun$", "iyul июл july jul$",
		"avgust август august aug$", "sentabr sentyabr сентябр september sep$ sept$", "oktabr oktyabr октябр october oct$", "noyabr ноябр november nov$", "dekabr декабр december dec$"} {
		for _, s := range stemsOf(words) {
			out[s] = n + 1
		}
	}
	return out
}()

// monthOf is the month that a word names, 0 for none. "Marta" is March in Russian, and "times"
// in Uzbek.
func monthOf(key string, locale Locale) int {
	if locale == Uzbek && anyOf(key, timesWords) {
		return 0
	}
	for s, n := range months {
		if anyOf(key, []string{s}) {
			return n
		}
	}
	return 0
}

// scales multiply the number before them.
var scales = map[string]float64{
	"ming": 1e3, "thousand": 1e3, "k": 1e3, "tis": 1e3, "tisyach": 1e3, "mln": 1e6, "million": 1e6, "milion": 1e6, //nolint:misspell // with one l it is Uzbek and a key
	"mlrd": 1e9, "milliard": 1e9, "milyard": 1e9, "miliard": 1e9, "bilion": 1e9,
}

// multiples are words and pairs of words that say how many times something is.
var multiples = []struct {
	stems [][]string
	times float64
}{
	{[][]string{stemsOf("ikki 2$"), stemsOf("baravar barobar marta$ martaga$ hissa")}, 2},
	{[][]string{stemsOf("uch$ 3$"), stemsOf("baravar barobar marta$ martaga$ hissa")}, 3},
	{[][]string{stemsOf("to'rt$ 4$"), stemsOf("baravar barobar marta$ martaga$ hissa")}, 4},
	{[][]string{stemsOf("два$ 2$"), stemsOf("раза$")}, 2},
	{[][]string{stemsOf("три$ 3$"), stemsOf("раза$")}, 3},
	{[][]string{stemsOf("четыре$ 4$"), stemsOf("раза$")}, 4},
	{[][]string{stemsOf("two$ 2$"), stemsOf("times$")}, 2},
	{[][]string{stemsOf("three$ 3$"), stemsOf("times$")}, 3},
	{[][]string{stemsOf("four$ 4$"), stemsOf("times$")}, 4},
	{[][]string{stemsOf("twice$ doubl twofold$ вдвое$ двукрат удво")}, 2},
	{[][]string{stemsOf("tripl threefold$ втрое$ утро$ утрои")}, 3},
}
