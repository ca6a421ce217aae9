// Package stages is the funnel that a new business begins with, in three languages.
package stages

import "svc/app/business/texts"

// Funnel is what it is called.
var Funnel = texts.Of("Savdo", "Продажи", "Sales")

// Stage is a stage of the funnel that a new business begins with.
type Stage struct {
	Key             string
	Name, Objective texts.Texts
	// Allowed are the names of actions; none: all.
	Allowed []string
}

// Default are those of contract 11.3, in order.
var Default = []Stage{
	{"NEW", texts.Of("Yangi", "Новый", "New"), texts.Of(
		"Salomlashish va mijozga nima kerakligini bilish", "Поприветствовать и узнать, что нужно клиенту", "Greet and learn what the customer needs"), []string{"GREET", "ASK_QUESTION", "ANSWER", "PRESENT_OFFER", "QUOTE_PRICE", "PROPOSE_BOOKING", "HANDOFF"}},
	{"ENGAGED", texts.Of("Suhbatda", "В диалоге", "Engaged"), texts.Of(
		"Savollarga javob berish va suhbatni davom ettirish", "Отвечать на вопросы и поддерживать разговор", "Answer questions and keep the conversation going"), nil},
	{"DISCOVERY", texts.Of("Ehtiyoj", "Потребность", "Discovery"), texts.Of(
		"Ehtiyojni aniqlash: nima, nechta, qachon, kim uchun", "Понять потребность: что, сколько, когда, для кого", "Understand the need: what, how many, when, for whom"), nil},
	{"QUALIFICATION", texts.Of("Mos kelishi", "Квалификация", "Qualification"), texts.Of(
		"Byudjet, muddat va shartlar mos kelishini bilish", "Узнать бюджет, сроки и условия", "Learn budget, time and conditions"), nil},
	{"INTERESTED", texts.Of("Qiziqdi", "Заинтересован", "Interested"), texts.Of(
		"Mos taklifni tanlashga yordam berish", "Помочь выбрать подходящее предложение", "Help to choose the offer that fits"), nil},
	{"OFFER_PRESENTED", texts.Of("Taklif berildi", "Предложение сделано", "Offer presented"), texts.Of(
		"Narx va shartlarni aytib, keyingi qadamni so‘rash", "Назвать цену и условия, предложить следующий шаг", "State price and conditions and ask for the next step"), nil},
	{"OBJECTION", texts.Of("E’tiroz", "Возражение", "Objection"), texts.Of(
		"E’tirozni tinglash va faktlar bilan javob berish", "Выслушать возражение и ответить фактами", "Hear the objection and answer with facts"), nil},
	{"READY_TO_CONVERT", texts.Of("Xaridga tayyor", "Готов купить", "Ready to buy"), texts.Of(
		"Buyurtma yoki yozilishni rasmiylashtirish uchun kerakli ma’lumotni so‘rash", "Собрать данные для заказа или записи", "Collect what an order or a booking needs"), nil},
	{"CONVERTED", texts.Of("Xarid qildi", "Купил", "Converted"), texts.Of(
		"Minnatdorchilik bildirish va savollarga javob berish", "Поблагодарить и ответить на вопросы", "Thank and answer questions"), nil},
}
