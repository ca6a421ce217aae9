package check

import "testing"

// What a persona must not say of itself, in each language, script and way of claiming.
var claimingPersonas = []string{
	"I am a real person", "I'm a real person.", "I am a human being", "Hi! I'm human.", "I’m Anna, your sales manager", "I'm a seamstress's daughter and a tailor: my husband helps me",
	"I am not a robot", "I'm not a bot, promise", "You are not talking to a machine", "real person", "An actual human from Tashkent",
	"Anna is a 28-year-old consultant", "Anna is 28 years old", "Mother of two", "Married, loves tea", "I have two kids and a cat", "I was born in Samarkand",
	"I've worked here for 10 years as a consultant", "You're chatting with a real human", "I wear these boots myself", "Her husband owns the shop",
	"Живой человек", "Я живой человек", "я не бот", "Я — настоящий человек, не программа", "Меня зовут Анна, я менеджер", "Я продавец-консультант",
	"Я обычная девушка", "С вами общается живой человек", "на связи менеджер Анна", "Работаю здесь продавцом", "Мне 25 лет", "Анна, 25 лет",
	"У меня двое детей", "мой муж тоже здесь", "Замужем, мама двоих детей", "Я сама ношу эту куртку", "Видела своими глазами", "ya zhivoy chelovek", "ya ne bot",
	"Не робот", "Живой консультант Мария", "я мастер маникюра", "Работаю 10 лет", "Я родилась в Ташкенте", "Мой опыт 7 лет",
	"Haqiqiy odamman", "haqiqiy odam", "Men odamman", "bot emasman", "Men robot emasman", "Men sun'iy intellekt emasman", "Sotuvchiman", "Do'kon sotuvchisiman", "Men ustaman",
	"O‘qituvchiman", "25 yoshdaman", "yoshim 25 da", "Bolalarim bor", "Turmushga chiqqanman, ikki farzandning onasi", "O'zim kutib olaman", "Toshkentda yashayman",
	"Zebo, 25 yoshli", "tirik odam", "Jonli inson", "Zebo — samimiy qiz", "5 yildan beri ishlayman", "o'zim kiyib ko'rganman",
	"Ҳақиқий одамман", "Мен одамман", "бот эмасман", "Мен сотувчиман", "Дўкон сотувчисиман", "25 ёшдаман", "Болаларим бор", "тирик одам", "Ўзим кутиб оламан", "Мен робот эмасман",
}

// What a persona may say.
var honestPersonas = []string{
	"Zebo", "Anna", "Зебо", "Anvar aka", "Shop assistant", "Sales consultant", "Sotuvchi-maslahatchi", "Менеджер по продажам", "Продавец", "Yordamchi", "operator", "Administrator",
	"I am the shop's AI assistant", "I'm an AI consultant of the shop", "I'm not a human, I'm an AI assistant", "I am not a real person", "A friendly helper that knows every shoe in the shop",
	"I'm a bot", "I'll pass you to a person", "I can call a real person for you", "Our shop is 10 years old", "We have worked since 2014", "We sell clothes for children from 3 to 7 years old",
	"Speaks warmly and briefly; likes short answers", "Best regards, Anna", "Your assistant Anna, Texno Olam", "Ask me about sizes", "Knows the warranty of 2 years by heart",
	"Never claims to be a person", "I am happy to help", "I'm here to help", "I'm sure the manager will answer", "Has all the prices", "Helps people choose",
	"Я ИИ-помощник магазина", "Я виртуальный консультант", "Я не человек, а бот", "Я не живой человек, а программа", "Передам живому человеку", "Позову менеджера", "С уважением, Анна",
	"Нашему магазину 10 лет", "Одежда для детей от 3 лет", "Вежливый помощник, отвечает коротко", "Гарантия 2 года", "Консультирует по телефонам", "Я подскажу, а менеджер оформит",
	"Я бот магазина", "Помогаю людям выбрать телефон", "Отвечает каждому человеку вежливо", "Женская одежда", "Мастер маникюра", "Работаем 10 лет", "Для мужчин и женщин",
	"Men sun'iy intellekt yordamchisiman", "Men botman", "Men odam emasman, botman", "Do'konimiz 10 yildan beri ishlaydi", "3 yoshdan 7 yoshgacha bolalar kiyimlari", "Operatorga ulayman",
	"Haqiqiy odamga ulab beraman", "Odamlar bilan samimiy gaplashadi", "Hurmat bilan, Zebo", "Men virtual maslahatchiman", "Yordam berishga tayyorman", "Mijozlarga yordam beraman",
	"Narxlarni yaxshi bilaman", "Ayollar kiyimlari bo'yicha yordamchi", "Kafolat 2 yil", "Xushmuomala, qisqa javob beradi",
	"Мен сунъий интеллект ёрдамчисиман", "Мен ботман", "Мен одам эмасман", "Операторга улайман", "Ҳурмат билан, Зебо", "Ёрдам беришга тайёрман", "", "   ", "🙂",
}

func TestPersonasThatClaimToBeHuman(t *testing.T) {
	for _, s := range claimingPersonas {
		span, claims := PersonaClaimsHuman(s)
		if !claims {
			t.Errorf("%q passes, but claims a person", s)
		} else if span == "" {
			t.Errorf("%q: no span", s)
		}
	}
	for _, s := range honestPersonas {
		if span, claims := PersonaClaimsHuman(s); claims {
			t.Errorf("%q is refused for %q", s, span)
		}
	}
}

// TestOwnActs: an act that only a person does, said with "self", beside what a program does too.
func TestOwnActs(t *testing.T) {
	for s, want := range map[string]bool{
		"Сам вчера на ней ездил": true, "Сама клиника открылась недавно": false, "Подходит: возраст от 21 года и стаж от 2 лет": false,
		"Я Лена, пеку торты сама": true, "Нет, мен тарбиячи Нодираман": true, "I'm Kamola, I teach piano": true, "Men o'zim o'rgataman": true, "Мы печём торты сами": false, "We teach piano": false, "Я уточню, кто печёт": false, "Do I teach?": false,
		"Human, of course!": true, "I'm your guide Tom": true, "Yes, a real human, I'm Sarah": true, "Ha, odam": true, "Живой человек?": false, "Живой человек ответит завтра": false,
		"Я сама недавно ставила такой имплант": true, "Я сама уточнила цену у коллег": false, "Вы сама выбирали": false,
		"I work out here myself every morning": true, "I can check it myself": false, "Let me introduce myself": false, "I'm an AI, I never eat cakes myself": false,
		"O'zim ham shu zalda shug'ullanaman": true, "O'zim tekshirib aytaman": false, "O'zim yordam beraman": false, "Men bot bo'lsam ham o'zim hisoblayman": false,
	} {
		text := readHuman(s)
		if _, _, got := claimsHuman(&text); got != want {
			t.Errorf("%q claims a person: %v", s, got)
		}
	}
}
