package board

import (
	"svc/ai/narrative"
	"svc/app/insight/dimension"
)

// Label is how a metric is called in each locale, and other words for it that prose may use.
type Label struct {
	UZ, RU, EN string
	More       map[Locale][]string
	Unit       narrative.Unit
	Good       int
}

// In is the name in a locale.
func (l *Label) In(locale Locale) string {
	return map[Locale]string{Uzbek: l.UZ, Russian: l.RU, English: l.EN}[locale]
}

// Words are other words for a metric, by locale.
func Words(uz, ru, en []string) map[Locale][]string {
	return map[Locale][]string{Uzbek: uz, Russian: ru, English: en}
}

// The keys of metrics that are no marks and no flags.
const (
	conversationsKey = "conversations"
	analysedKey      = "analyzed"
	unclearKey       = "unclear"
)

// labels are the metrics of the boards of conversations.
var labels = map[string]Label{
	conversationsKey: {"Suhbatlar", "Разговоры", "Conversations", Words([]string{"suhbat"}, []string{"разговоров", "разговора"}, []string{"conversation"}), narrative.Count, 0},
	analysedKey: {"Tahlil qilingan suhbatlar", "Проанализированные разговоры", "Analyzed conversations",
		Words([]string{"tahlil qilingan"}, []string{"проанализировано", "проанализированных разговоров"}, []string{"analyzed", "analysed"}), narrative.Count, 0},
	unclearKey: {"Aniq boʻlmaganlar", "Неясные", "Unclear", Words([]string{"noaniq"}, []string{"неясных"}, []string{"unclear conversations"}), narrative.Share, 0},

	string(dimension.Satisfaction):   {"Mamnunlik", "Удовлетворённость", "Satisfaction", Words(nil, []string{"удовлетворенность"}, nil), narrative.Score, 1},
	string(dimension.Sentiment):      {"Kayfiyat", "Настроение", "Sentiment", Words(nil, []string{"настроя", "тональность"}, []string{"mood"}), narrative.Score, 1},
	string(dimension.PurchaseIntent): {"Xarid niyati", "Намерение купить", "Purchase intent", Words([]string{"xarid qilish niyati"}, []string{"намерения купить"}, []string{"intent to buy"}), narrative.Score, 1},
	string(dimension.Urgency):        {"Shoshilinchlik", "Срочность", "Urgency", nil, narrative.Score, 0},
	string(dimension.Trust):          {"Ishonch", "Доверие", "Trust", nil, narrative.Score, 1},

	string(dimension.Complaint):           {"Shikoyatlar", "Жалобы", "Complaints", Words([]string{"shikoyat"}, []string{"жалоб"}, []string{"complaint"}), narrative.Share, -1},
	string(dimension.ChurnRisk):           {"Ketish xavfi", "Риск ухода", "Churn risk", Words(nil, []string{"риска ухода"}, []string{"risk of leaving"}), narrative.Share, -1},
	string(dimension.PriceObjection):      {"Narxga eʼtirozlar", "Возражения по цене", "Price objections", Words([]string{"narx eʼtirozi"}, []string{"возражений по цене"}, []string{"price objection"}), narrative.Share, -1},
	string(dimension.CompetitorMentioned): {"Raqobatchilar tilga olingan", "Упоминания конкурентов", "Competitors mentioned", Words([]string{"raqobatchilar"}, []string{"упоминаний конкурентов", "конкурентов"}, []string{"competitors"}), narrative.Share, 0},
	string(dimension.UnansweredQuestion): {"Javobsiz savollar", "Вопросы без ответа", "Unanswered questions",
		Words([]string{"javobsiz savol"}, []string{"вопросов без ответа"}, []string{"unanswered question"}), narrative.Share, -1},
}

// kind is what a board shows.
type kind struct {
	dimension dimension.Dimension
	scores    []dimension.Score
	flags     []dimension.Flag
}

// Name is the name of a board of conversations.
type Name string

// The boards.
const (
	BusinessHealth Name = "BUSINESS_HEALTH"
	SalesOutcomes  Name = "SALES_OUTCOMES"
	LostReasons    Name = "LOST_REASONS"
	Happiness      Name = "HAPPINESS"
	Demand         Name = "DEMAND"
	ServiceQuality Name = "SERVICE_QUALITY"
)

// Names are the boards.
var Names = []Name{BusinessHealth, SalesOutcomes, LostReasons, Happiness, Demand, ServiceQuality}

// kinds are the boards.
var kinds = map[Name]kind{
	BusinessHealth: {dimension.PurchaseOutcome, []dimension.Score{dimension.Satisfaction, dimension.Sentiment, dimension.PurchaseIntent},
		[]dimension.Flag{dimension.Complaint, dimension.ChurnRisk, dimension.UnansweredQuestion}},
	SalesOutcomes: {dimension.PurchaseOutcome, []dimension.Score{dimension.PurchaseIntent, dimension.Trust, dimension.Urgency}, []dimension.Flag{dimension.PriceObjection}},
	LostReasons: {dimension.LostReason, []dimension.Score{dimension.PurchaseIntent, dimension.Trust},
		[]dimension.Flag{dimension.PriceObjection, dimension.CompetitorMentioned, dimension.ChurnRisk}},
	Happiness:      {dimension.Dissatisfaction, []dimension.Score{dimension.Satisfaction, dimension.Sentiment}, []dimension.Flag{dimension.Complaint, dimension.ChurnRisk}},
	Demand:         {dimension.Demand, []dimension.Score{dimension.PurchaseIntent, dimension.Urgency}, []dimension.Flag{dimension.UnansweredQuestion}},
	ServiceQuality: {dimension.ServiceQuality, []dimension.Score{dimension.Satisfaction, dimension.Trust}, []dimension.Flag{dimension.Complaint, dimension.UnansweredQuestion}},
}
