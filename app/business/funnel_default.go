package business

// defaultStage is a stage of the funnel that a new business begins with.
type defaultStage struct {
	key             string
	name, objective Texts
	allowed         []Action
}

// defaultStages are those of contract 11.3, in order.
var defaultStages = []defaultStage{
	{"NEW", Texts{"Yangi", "Новый", "New"}, Texts{
		"Salomlashish va mijozga nima kerakligini bilish", "Поприветствовать и узнать, что нужно клиенту", "Greet and learn what the customer needs",
	}, []Action{Greet, AskQuestion, Answer, PresentOffer, QuotePrice, HandOff}},
	{"ENGAGED", Texts{"Suhbatda", "В диалоге", "Engaged"}, Texts{
		"Savollarga javob berish va suhbatni davom ettirish", "Отвечать на вопросы и поддерживать разговор", "Answer questions and keep the conversation going",
	}, nil},
	{"DISCOVERY", Texts{"Ehtiyoj", "Потребность", "Discovery"}, Texts{
		"Ehtiyojni aniqlash: nima, nechta, qachon, kim uchun", "Понять потребность: что, сколько, когда, для кого", "Understand the need: what, how many, when, for whom",
	}, nil},
	{"QUALIFICATION", Texts{"Mos kelishi", "Квалификация", "Qualification"}, Texts{
		"Byudjet, muddat va shartlar mos kelishini bilish", "Узнать бюджет, сроки и условия", "Learn budget, time and conditions",
	}, nil},
	{"INTERESTED", Texts{"Qiziqdi", "Заинтересован", "Interested"}, Texts{
		"Mos taklifni tanlashga yordam berish", "Помочь выбрать подходящее предложение", "Help to choose the offer that fits",
	}, nil},
	{"OFFER_PRESENTED", Texts{"Taklif berildi", "Предложение сделано", "Offer presented"}, Texts{
		"Narx va shartlarni aytib, keyingi qadamni so‘rash", "Назвать цену и условия, предложить следующий шаг", "State price and conditions and ask for the next step",
	}, nil},
	{"OBJECTION", Texts{"E’tiroz", "Возражение", "Objection"}, Texts{
		"E’tirozni tinglash va faktlar bilan javob berish", "Выслушать возражение и ответить фактами", "Hear the objection and answer with facts",
	}, nil},
	{"READY_TO_CONVERT", Texts{"Xaridga tayyor", "Готов купить", "Ready to buy"}, Texts{
		"Buyurtma yoki yozilishni rasmiylashtirish uchun kerakli ma’lumotni so‘rash", "Собрать данные для заказа или записи", "Collect what an order or a booking needs",
	}, nil},
	{"CONVERTED", Texts{"Xarid qildi", "Купил", "Converted"}, Texts{
		"Minnatdorchilik bildirish va savollarga javob berish", "Поблагодарить и ответить на вопросы", "Thank and answer questions",
	}, nil},
}

// defaultFunnel is what a new business begins with, in its default language.
func defaultFunnel(id string, b *Business) Funnel {
	f := Funnel{
		ID: id, BusinessID: b.ID, Name: Texts{"Savdo", "Продажи", "Sales"}.In(b.DefaultLanguage), IsDefault: true, CreatedAt: b.CreatedAt, UpdatedAt: b.CreatedAt,
	}
	for i, s := range defaultStages {
		f.Stages = append(f.Stages, Stage{
			Key: s.key, Name: s.name.In(b.DefaultLanguage), Objective: s.objective.In(b.DefaultLanguage), Allowed: unique(s.allowed), Prohibited: []Action{},
			Questions: []string{}, Handoff: []string{}, Order: i,
		})
	}
	return f
}
