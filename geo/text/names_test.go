package text

import (
	"slices"
	"strings"
	"testing"

	"svc/geo/text/script"
)

// uzbekNames are real names in both scripts of Uzbek.
var uzbekNames = [][2]string{
	{"Toshkent", "Тошкент"}, {"Samarqand", "Самарқанд"}, {"Buxoro", "Бухоро"}, {"Xiva", "Хива"},
	{"Fargʻona", "Фарғона"}, {"Andijon", "Андижон"}, {"Namangan", "Наманган"}, {"Qoʻqon", "Қўқон"},
	{"Urganch", "Урганч"}, {"Nukus", "Нукус"}, {"Qarshi", "Қарши"}, {"Shahrisabz", "Шаҳрисабз"},
	{"Termiz", "Термиз"}, {"Jizzax", "Жиззах"}, {"Guliston", "Гулистон"}, {"Sirdaryo", "Сирдарё"},
	{"Navoiy", "Навоий"}, {"Zarafshon", "Зарафшон"}, {"Olmaliq", "Олмалиқ"}, {"Angren", "Ангрен"},
	{"Chirchiq", "Чирчиқ"}, {"Bekobod", "Бекобод"}, {"Yangiyoʻl", "Янгийўл"}, {"Ohangaron", "Оҳангарон"},
	{"Chilonzor", "Чилонзор"}, {"Yunusobod", "Юнусобод"}, {"Mirzo Ulugʻbek", "Мирзо Улуғбек"},
	{"Yakkasaroy", "Яккасарой"}, {"Shayxontohur", "Шайхонтоҳур"}, {"Olmazor", "Олмазор"},
	{"Uchtepa", "Учтепа"}, {"Mirobod", "Миробод"}, {"Sergeli", "Сергели"}, {"Yashnobod", "Яшнобод"},
	{"Bektemir", "Бектемир"}, {"Yangihayot", "Янгиҳаёт"}, {"Qoʻyliq", "Қўйлиқ"}, {"Chorsu", "Чорсу"},
	{"Oloy bozori", "Олой бозори"}, {"Beruniy", "Беруний"}, {"Gʻijduvon", "Ғиждувон"}, {"Vobkent", "Вобкент"},
	{"Kogon", "Когон"}, {"Denov", "Денов"}, {"Boysun", "Бойсун"}, {"Sherobod", "Шеробод"},
	{"Kitob", "Китоб"}, {"Gʻuzor", "Ғузор"}, {"Muborak", "Муборак"}, {"Kattaqoʻrgʻon", "Каттақўрғон"},
	{"Urgut", "Ургут"}, {"Bulungʻur", "Булунғур"}, {"Margʻilon", "Марғилон"}, {"Rishton", "Риштон"},
	{"Quva", "Қува"}, {"Asaka", "Асака"}, {"Xonobod", "Хонобод"}, {"Chust", "Чуст"}, {"Pop", "Поп"},
	{"Chortoq", "Чортоқ"}, {"Uchqoʻrgʻon", "Учқўрғон"}, {"Toʻytepa", "Тўйтепа"}, {"Qibray", "Қибрай"},
	{"Zangiota", "Зангиота"}, {"Gʻazalkent", "Ғазалкент"}, {"Chimyon", "Чимён"}, {"Amudaryo", "Амударё"},
	{"Isʼhoq", "Исҳоқ"}, {"Maʼrifat", "Маърифат"}, {"Alisher Navoiy", "Алишер Навоий"},
	{"Amir Temur", "Амир Темур"}, {"Bunyodkor", "Бунёдкор"}, {"Oʻzbekiston", "Ўзбекистон"},
	{"Mustaqillik", "Мустақиллик"}, {"Sharof Rashidov", "Шароф Рашидов"}, {"Yevropa", "Европа"},
	{"Poyezd", "Поезд"}, {"Sement zavodi", "Семент заводи"}, {"Choyxona", "Чойхона"},
}

// russianNames are the Russian and English writings of Uzbek names that the
// skeleton brings together.
var russianNames = [][2]string{
	{"Toshkent", "Ташкент"}, {"Toshkent", "Tashkent"}, {"Samarqand", "Самарканд"}, {"Samarqand", "Samarkand"},
	{"Buxoro", "Бухара"}, {"Buxoro", "Bukhara"}, {"Xiva", "Khiva"}, {"Fargʻona", "Фергана"},
	{"Qoʻqon", "Коканд"}, {"Qarshi", "Карши"}, {"Termiz", "Термез"}, {"Jizzax", "Jizzakh"},
	{"Chilonzor", "Чиланзар"}, {"Yunusobod", "Юнусабад"}, {"Yunusobod", "Yunusabad"}, {"Mirobod", "Мирабад"},
	{"Shayxontohur", "Шайхантахур"}, {"Yakkasaroy", "Яккасарай"}, {"Yashnobod", "Яшнабад"},
	{"Yangiyoʻl", "Янгиюль"}, {"Sirdaryo", "Сырдарья"}, {"Amudaryo", "Амударья"}, {"Qoʻyliq", "Куйлюк"},
	{"Guliston", "Гулистан"}, {"Namangan", "Наманган"}, {"Bekobod", "Бекабад"}, {"Chirchiq", "Чирчик"},
	{"Urganch", "Ургенч"}, {"Kattaqoʻrgʻon", "Каттакурган"}, {"Margʻilon", "Маргилан"}, {"Qibray", "Кибрай"},
	{"Niyozov", "Ниязов"}, {"Choyxona", "Чайхана"}, {"Tsum", "ЦУМ"}, {"Weber", "Вебер"},
}

func skeletons(s string) []string {
	list := Tokens(s)
	for i, t := range list {
		list[i] = script.Skeleton(t)
	}
	return list
}

func TestSkeletonOfBothScripts(t *testing.T) {
	if len(uzbekNames) < 60 {
		t.Fatalf("%d names, want at least 60", len(uzbekNames))
	}
	for _, n := range uzbekNames {
		if a, b := skeletons(n[0]), skeletons(n[1]); !slices.Equal(a, b) {
			t.Errorf("%s has %q, %s has %q", n[0], a, n[1], b)
		}
		if a, b := Tokens(n[0]), Tokens(n[1]); !slices.Equal(a, b) {
			t.Errorf("%s is %q, %s is %q", n[0], a, n[1], b)
		}
	}
}

func TestSkeletonOfRussian(t *testing.T) {
	different := map[string]bool{"Коканд": true} // кк against кнд: another word
	for _, n := range russianNames {
		a, b := skeletons(n[0]), skeletons(n[1])
		if slices.Equal(a, b) == different[n[1]] {
			t.Errorf("%s has %q, %s has %q", n[0], a, n[1], b)
		}
	}
}

func TestSkeleton(t *testing.T) {
	for in, want := range map[string]string{
		"toshkent": "tSknt", "samarqand": "smrknd", "xiva": "hv", "khiva": "hv", "qarshi": "krS",
		"olmazor": "olmzr", "mamatov": "mtv", "jizzax": "jzh", "watt": "vt", "tsirk": "srk",
		"yunusobod": "Unsbd", "yoshlik": "OSlk", "yashil": "ASl", "daryo": "dr", "angren": "aNrn",
		"a": "a", "x": "h", "110": "110", "12a": "12a", "1-5": "1-5", "m39": "m39", "東京": "東京", "": "",
	} {
		if got := script.Skeleton(in); got != want {
			t.Errorf("script.Skeleton(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for _, group := range [][]string{
		{"улица Пушкина", "Пушкина улица", "ул. Пушкина", "Pushkina koʻchasi", "Pushkina ko'cha", "Pushkina kochasi", "Pushkina street", "Pushkina St."},
		{"переулок Пушкина", "пер. Пушкина", "Pushkina tor koʻchasi", "Pushkina lane", "Pushkina torkoʻchasi"},
		{"проспект Пушкина", "пр-т Пушкина", "пр. Пушкина", "Pushkina shoh koʻchasi", "Pushkina shohkoʻchasi", "Pushkina avenue", "Pushkina Ave"},
		{"проезд Пушкина", "Pushkina proezd"},
		{"шоссе Пушкина", "Pushkina highway"},
		{"бульвар Пушкина", "б-р Пушкина", "Pushkina boulevard", "Pushkina bulvari"},
		{"площадь Пушкина", "пл. Пушкина", "Pushkina maydoni", "Pushkina square"},
		{"тупик Пушкина", "Pushkina berk koʻchasi"},
		{"Pushkina"},
		{"Navoiy koʻchasi"},
		{"Navoiy 1-tor koʻchasi", "Navoiy 1 tor koʻcha", "Навоий 1-переулок", "Навоий 1-й пер."},
		{"Navoiy 2-tor koʻchasi"},
		{"Chilonzor tumani", "Chilonzor tuman", "Chilonzor district"},
		{"Navoiy mahallasi", "Navoiy MFY", "Навоий махалля"},
	} {
		for _, s := range group {
			if got, want := Canonical(s), Canonical(group[0]); got != want {
				t.Errorf("Canonical(%q) = %q, of %q it is %q", s, got, group[0], want)
			}
		}
	}
	seen := map[string]string{}
	for _, s := range []string{"улица Пушкина", "переулок Пушкина", "проспект Пушкина", "проезд Пушкина", "шоссе Пушкина",
		"бульвар Пушкина", "площадь Пушкина", "тупик Пушкина", "набережная Пушкина", "Пушкина", "1-я улица Пушкина", ""} {
		c := Canonical(s)
		if other, ok := seen[c]; ok {
			t.Errorf("%q and %q are both %q", s, other, c)
		}
		seen[c] = s
	}
	if got := Canonical("улица Пушкина"); got != "pushkina kocha" {
		t.Errorf("the type word is not at the end: %q", got)
	}
}

func TestHouseNumber(t *testing.T) {
	for in, want := range map[string]string{
		"12A": "12a", "12а": "12a", "12 a": "12a", "12-А": "12a", "12-uy": "12", "д. 12": "12", "uy 12": "12",
		"дом 12": "12", "12/3": "12/3", "12 / 3": "12/3", "12/3а": "12/3a", "12/а": "12a", "1-5": "1-5", "1–5": "1-5", "1 - 5": "1-5",
		"№ 12": "12", "12 д": "12d", "12я": "12ya", "12 я": "12ya", "12е": "12e", "12 е": "12e", "12 корпус 3": "12k3",
		"12к3": "12k3", "12 к 1/2": "12k", "12/3 к 1": "12/3k1", "12 литера Б": "12b", "B12": "b12", "": "", "uy": "", "—": "", "12 Navoiy": "12", "12; 14": "12",
		"12-uy, 4-xonadon": "12", "１２": "12", strings.Repeat("1", 90): "", strings.Repeat("1", 16): strings.Repeat("1", 16),
	} {
		if got := HouseNumber(in); got != want {
			t.Errorf("HouseNumber(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIsHouseNumberToken(t *testing.T) {
	for in, want := range map[string]bool{
		"12": true, "12a": true, "12/3": true, "1-5": true, "2020": true, "12k3": true, "1": true,
		"12345": false, "a12": false, "": false, "12abcdefg": false, "12abcdef": true, "toshkent": false, "12/345": false,
	} {
		if got := IsHouseNumberToken(in); got != want {
			t.Errorf("IsHouseNumberToken(%q) = %v", in, got)
		}
	}
}

func TestHouseRange(t *testing.T) {
	for in, want := range map[string][2]int{
		"1-5": {1, 5}, "10-12": {10, 12}, "5-1": {}, "5-5": {}, "5": {}, "1-5a": {}, "a-b": {}, "-5": {}, "1-": {},
		"1-99999": {}, "1-999999999999": {}, "1/5": {}, "": {},
	} {
		from, to, ok := HouseRange(in)
		if from != want[0] || to != want[1] || ok != (want[1] != 0) {
			t.Errorf("HouseRange(%q) = %d, %d, %v", in, from, to, ok)
		}
	}
}
