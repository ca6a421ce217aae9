package pricelist

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/recipient/field"
)

// The fields of a row.
const (
	name         = "name"
	kind         = "type"
	description  = "description"
	lowest       = "price"
	highest      = "price_max"
	currency     = "currency"
	priceNote    = "price_note"
	availability = "availability"
	delivery     = "delivery"
	address      = "url"
	priority     = "sales_priority"
	active       = "active"
)

// Fields lists what a column may fill, in the order in which an export has them.
func Fields() []string {
	return []string{name, kind, description, lowest, highest, currency, priceNote, availability, delivery, address, priority, active}
}

// Columns are those of an export: what an import takes, and what only we say.
func Columns() []string {
	return append(append([]string{"id"}, Fields()...), "created_at", "updated_at")
}

var (
	errCurrency      = errors.New("must be a code of ISO 4217 such as UZS")
	errTwoCurrencies = errors.New("is not the one beside the price")
	errPriority      = errors.New("must be a whole number from 0 to 100")
)

// variants are other names of the fields, as tables in three languages have them.
var variants = map[string]string{
	"title": name, "product": name, "offer": name, "item": name, "service": name, "product_name": name,
	"название": name, "наименование": name, "товар": name, "услуга": name, "имя": name, "номенклатура": name,
	"nomi": name, "nom": name, "mahsulot": name, "xizmat": name, "tovar": name, "номи": name, "маҳсулот": name,
	"kind": kind, "тип": kind, "вид": kind, "turi": kind, "tur": kind, "тури": kind,
	"desc": description, "details": description, "описание": description, "tavsif": description, "tavsifi": description, "таъриф": description,
	"cost": lowest, "price_from": lowest, "price_min": lowest, "цена": lowest, "цена_от": lowest, "стоимость": lowest,
	"narx": lowest, "narxi": lowest, "нарх": lowest, "нархи": lowest,
	"price_to": highest, "цена_до": highest, "narx_gacha": highest, "max_price": highest,
	"валюта": currency, "valyuta": currency,
	"примечание": priceNote, "примечание_к_цене": priceNote, "izoh": priceNote, "изоҳ": priceNote,
	"stock": availability, "наличие": availability, "mavjudligi": availability, "mavjud": availability, "holati": availability,
	"shipping": delivery, "доставка": delivery, "yetkazib_berish": delivery,
	"link": address, "ссылка": address, "havola": address, "website": address, "сайт": address,
	"priority": priority, "приоритет": priority, "muhimligi": priority,
	"enabled": active, "активен": active, "активно": active, "faol": active,
}

// begin decides what each column fills. No field is filled twice: a column that is named as
// the field goes before one that is named as a variant.
func (r *reader) begin(header []string, mapping map[string]string) error {
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	r.header, r.columns = header, make([]string, len(header))
	r.ours = slices.Contains(header, priority) && slices.Contains(header, "updated_at")
	mapped, err := r.mapped(mapping)
	if err != nil {
		return err
	}
	taken := map[string]bool{"": true}
	for _, exact := range []bool{true, false} {
		for i, h := range header {
			key := field.Key(h)
			to, said := mapped[i]
			if !said && slices.Contains(Fields(), key) {
				to = key
			} else if !said && !exact {
				to = variants[key]
			}
			if r.columns[i] == "" && !taken[to] {
				r.columns[i], taken[to] = to, true
			}
		}
	}
	if !taken[name] {
		return api.Wrong(r.where, "has no column name; name one so in the first row, or send a mapping")
	}
	r.Columns, r.Ignored = []string{}, []string{}
	for i, to := range r.columns {
		switch {
		case to != "":
			r.Columns = append(r.Columns, to)
		case header[i] != "" && !(r.ours && slices.Contains(Columns(), header[i])):
			r.Ignored = append(r.Ignored, header[i])
		}
	}
	return nil
}

// mapped are the fields that the mapping gives to columns, by their place.
func (r *reader) mapped(mapping map[string]string) (map[int]string, error) {
	out, duplicate := map[int]string{}, map[string]bool{}
	for header, to := range mapping {
		if to != "" && !slices.Contains(Fields(), to) {
			return nil, api.Wrong("mapping", "%.80q cannot be mapped to %.80q; use one of %s, or an empty text to leave it out", header, to, strings.Join(Fields(), ", "))
		}
		if to != "" && duplicate[to] {
			return nil, api.Wrong("mapping", "two columns are mapped to %s", to)
		}
		duplicate[to] = true
		at := slices.IndexFunc(r.header, func(h string) bool { return strings.EqualFold(h, strings.TrimSpace(header)) })
		if at < 0 {
			return nil, api.Wrong("mapping", "there is no column %.80q", header)
		}
		out[at] = to
	}
	return out, nil
}

// A choice is a code with the words that people write for it, as field.Key makes them.
type choice struct {
	code  string
	words []string
}

var types = []choice{
	{"PRODUCT", []string{"product", "goods", "товар", "продукт", "mahsulot", "tovar", "маҳсулот"}},
	{"SERVICE", []string{"service", "услуга", "xizmat", "хизмат"}},
	{"SUBSCRIPTION", []string{"subscription", "подписка", "абонемент", "obuna", "abonement", "обуна"}},
	{"BUNDLE", []string{"bundle", "set", "комплект", "набор", "toplam", "komplekt", "тўплам"}},
}

var availabilities = []choice{
	{"AVAILABLE", []string{"available", "in_stock", "yes", "есть", "в_наличии", "да", "bor", "mavjud", "бор", "мавжуд"}},
	{"PREORDER", []string{"preorder", "pre_order", "под_заказ", "предзаказ", "на_заказ", "buyurtma", "buyurtma_asosida", "буюртма"}},
	{"OUT_OF_STOCK", []string{"out_of_stock", "sold_out", "no", "нет", "нет_в_наличии", "закончился", "yoq", "tugagan", "mavjud_emas", "йўқ"}},
	{"SEASONAL", []string{"seasonal", "сезонно", "сезонный", "в_сезон", "mavsumiy", "мавсумий"}},
}

const yesWord = "true"

var truths = []choice{
	{yesWord, []string{"true", "yes", "y", "1", "on", "да", "ha", "ҳа", "faol", "активен"}},
	{"false", []string{"false", "no", "n", "0", "off", "нет", "yoq", "йўқ", "faol_emas", "неактивен"}},
}

// noApostrophes takes the Uzbek apostrophes away, which are written in many ways.
var noApostrophes = strings.NewReplacer("ʻ", "", "ʼ", "", "‘", "", "’", "", "'", "", "`", "")

// wordOf is the code of what somebody wrote.
func wordOf(choices []choice, value string) (string, error) {
	word := field.Key(noApostrophes.Replace(value))
	codes := make([]string, len(choices))
	for i, c := range choices {
		if slices.Contains(c.words, word) {
			return c.code, nil
		}
		codes[i] = c.code
	}
	return "", fmt.Errorf("must be one of %s", strings.Join(codes, ", "))
}
