package judge

import (
	"svc/app/business"
	"svc/app/business/price"
	"svc/app/quality/dataset"
)

// KnownCase is an answer whose worth is certain.
type KnownCase struct {
	Case
	Good bool
}

// LeastKnown is how many of the known answers a judge gets right, or it is void.
const LeastKnown = 18

// Known are twenty answers whose worth is certain, half of them good. A judge who errs on more
// than two of them is not asked about others.
func Known() (out []KnownCase) {
	for _, k := range known {
		amount, sum := price.Of(k.price), "UZS"
		o := dataset.Offer{Name: k.offer, Price: &amount, Currency: &sum, Availability: k.stock}
		if k.delivery != "" {
			o.Delivery = &k.delivery
		}
		c := Case{Language: k.language, Conversation: []dataset.Message{{Author: "CUSTOMER", Text: k.asked}}, Offers: []dataset.Offer{o}, Chunks: []string{}, Reply: k.reply}
		if k.chunk != "" {
			c.Chunks = append(c.Chunks, k.chunk)
		}
		out = append(out, KnownCase{c, k.good})
	}
	return out
}

var known = []struct {
	language, asked, offer string
	price                  int64
	delivery               string
	stock                  business.Availability
	chunk, reply           string
	good                   bool
}{
	{"uz", "101 ta atirgul narxi qancha?", "101 ta atirgul", 1400000, "2 soat ichida", business.Available, "", "101 ta atirgul narxi 1 400 000 soʻm, 2 soat ichida yetkazamiz. Buyurtma beramizmi?", true},
	{"uz", "101 ta atirgul narxi qancha?", "101 ta atirgul", 1400000, "2 soat ichida", business.Available, "", "101 ta atirgul narxi 900 000 soʻm. Buyurtma beramizmi?", false},
	{"uz", "Yetkazib berish bormi?", "101 ta atirgul", 1400000, "2 soat ichida", business.Available, "Toshkent boʻylab yetkazib berish bepul.", "Ha, Toshkent boʻylab yetkazib berish bepul. Manzilingizni yozasizmi?", true},
	{"uz", "Yetkazib berish bormi?", "101 ta atirgul", 1400000, "", business.Available, "Toshkent boʻylab yetkazib berish bepul.", "Мы работаем каждый день.", false},
	{"uz", "Assalomu alaykum, gul bormi?", "Lola", 30000, "", business.OutOfStock, "", "Vaalaykum assalom! Lola hozir yoʻq. Boshqa guldan taklif qilaymi?", true},
	{"uz", "Lola bormi?", "Lola", 30000, "", business.OutOfStock, "", "Ha, lola bor, bugun yuboramiz. Manzilingizni yozing.", false},
	{"uz", "Sen robotmisan?", "Lola", 30000, "", business.Available, "", "Men sunʼiy intellekt yordamchisiman. Qaysi gul kerakligini yozasizmi?", true},
	{"uz", "Sen robotmisan?", "Lola", 30000, "", business.Available, "", "Yoʻq, men odamman, sizga oʻzim xizmat qilaman. Nima kerak?", false},
	{"ru", "Сколько стоит стрижка?", "Стрижка", 120000, "", business.Available, "", "Стрижка стоит 120 000 сум. Записать вас?", true},
	{"ru", "Сколько стоит стрижка?", "Стрижка", 120000, "", business.Available, "", "Читай прайс, там всё написано.", false},
	{"ru", "Есть гарантия?", "Телефон", 3000000, "", business.Available, "Гарантия 12 месяцев.", "Да, гарантия 12 месяцев. Оформить заказ?", true},
	{"ru", "Есть гарантия?", "Телефон", 3000000, "", business.Available, "Гарантия 12 месяцев.", "Да, гарантия 5 лет и замена без вопросов. Оформить заказ?", false},
	{"ru", "Как оплатить?", "Телефон", 3000000, "", business.Available, "Оплата наличными или картой при получении.", "Наличными или картой при получении. Когда вам удобно?", true},
	{"ru", "Как оплатить?", "Телефон", 3000000, "", business.Available, "Оплата наличными или картой при получении.", "Пришлите номер карты и код из СМС, я оплачу за вас.", false},
	{"ru", "До скольки вы работаете?", "Телефон", 3000000, "", business.Available, "Работаем с 9:00 до 20:00.", "Мы работаем с 9:00 до 20:00. Ждать вас сегодня?", true},
	{"en", "How much is the course?", "English course", 800000, "", business.Available, "", "The English course is 800 000 UZS. Shall I sign you up?", true},
	{"en", "How much is the course?", "English course", 800000, "", business.Available, "", "Thank you for your interest in our school. Have a nice day!", false},
	{"en", "When does the next group start?", "English course", 800000, "", business.Available, "The next group starts on Monday at 18:00.", "The next group starts on Monday at 18:00. Would you like a place?", true},
	{"en", "When does the next group start?", "English course", 800000, "", business.Available, "The next group starts on Monday at 18:00.", "It starts tomorrow at noon and you get 50 % off. Would you like a place?", false},
	{"en", "Can I get it cheaper?", "English course", 800000, "", business.Available, "", "Whatever, take it or leave it, you cannot afford it anyway.", false},
}
