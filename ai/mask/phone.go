package mask

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// units are what is counted; orders, what has numbers that are no phones; dates, what says
// that a number is a date; phones, what says that a number is one. As script.Tokens writes
// them.
var (
	units = wordSet(`dona ta kg кг gramm грамм gr litr литр metr метр m2 kv km км sm см mm мм gb гб mb мб tb rub руб % foiz процентов процент razmer razmerli razmerlar razmerda размер размера размеры size sizes
		штук шт pcs pieces piece soat час часов minut минут kun дней day days yil год года лет years watt ват mah вт ming минг тонн tonna`)
	orders = wordSet(`buyurtma buyurtmam buyurtmani buyurtmaning заказ заказа заказу заказом заказы zakaz zakazim zakazni order orders invoice chek чек чека
		trek трек трекинг tracking id ид inn инн stir стир kod код code artikul артикул sku imei ticket bilet билет shartnoma договор договора contract
		№ hisob счёт счет счёта account бронь bron booking mfo мфо passport паспорт pasport seriya серия`)
	phones = wordSet(`tel telefon telefonim telefonimiz telefonga telefoni телефон телефону телефона телефоны тел тлф телеграм telegram tg whatsapp вотсап ватсап viber
		nomer nomerim nomeri nomerga nomerimiz nomerimga номер номеру номера номере номером raqam raqamim raqamimga raqami raqamga рақам рақамим рақами рақамга
		phone number cell mobile call me позвоните звоните перезвоните наберите позвони набери qongiroq qongiroqqa кўнғироқ`)
	sizes  = wordSet("razmer razmeri razmerlar размер размеры размеров size sizes olcham o'lcham")
	prices = wordSet(`narx narxi narxini narxda нарх нархи цена цену цены ценой price cost бюджет byudjet budjet budget summa сумма сумму pul пул to'lov оплата
		стоит стоимость`)
)

// foldWord is a word as script.Tokens writes it, in one token.
func foldWord(s string) string { return strings.Join(script.Tokens(s), "") }

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		if f := foldWord(w); f != "" {
			set[f] = true
		} else {
			set[w] = true
		}
	}
	return set
}

// phone is how many of the groups are a phone number, from the first on.
func (f *finder) phone(groups []group) int {
	whole := f.whole(groups)
	if f.isCode(groups[0]) {
		return 0
	}
	// What is surely one: + or the shape of the country's own numbers, the shortest first.
	digits := ""
	for n := range whole {
		digits += groups[n].digits
		part := groups[:n+1]
		if operatorPhone(digits) && !f.priced(part) && (n+1 == whole || !groups[0].plus) {
			return n + 1
		}
	}
	for n := whole; n > 0; n-- {
		part := groups[:n]
		size := len(digitsOf(part))
		if size < minPhone {
			break
		}
		if size > maxPhone && n > 1 {
			continue
		}
		if n < whole && !groups[0].plus {
			continue
		}
		if groups[0].plus || f.hasWordBefore(part[0].start, phones) && !f.hasUnitBehind(part[n-1].end) && !roundThousands(part) {
			return n
		}
		if !f.excused(part) {
			return n
		}
	}
	// A number cut by commas, line ends or words: 97, then 123 45 67.
	if whole < len(groups) && len(digitsOf(groups[:whole])) < minPhone {
		digits = ""
		for n, g := range groups {
			if digits += g.digits; n >= whole && operatorPhone(digits) && !separate(groups[:n+1]) && !f.priced(groups[:n+1]) {
				return n + 1
			}
			if len(digits) > maxPhone {
				break
			}
		}
	}
	return 0
}

// whole is how many groups stand together without a comma, a line end or a word.
func (f *finder) whole(groups []group) int {
	for n := 1; n < len(groups); n++ {
		if groups[n].joint == loose || groups[n].joint == comma {
			return n
		}
	}
	return len(groups)
}

// priced says that a number which looks like a phone is money: beside a currency, or round
// and in thousands.
func (f *finder) priced(groups []group) bool {
	if groups[0].plus || f.hasWordBefore(groups[0].start, phones) {
		return false
	}
	digits := digitsOf(groups)
	round := wholePrice(digits) || thousands(groups) && strings.HasSuffix(digits, "000")
	return round || f.hasUnitBehind(groups[len(groups)-1].end) || f.signBefore(groups[0].start) || f.hasWordBefore(groups[0].start, orders) && len(groups) == 1
}

// excused says why seven digits or more are no phone.
func (f *finder) excused(groups []group) bool {
	last := groups[len(groups)-1]
	switch {
	case thousands(groups), dateLike(groups), wholePrice(digitsOf(groups)):
		return true
	case decimal(groups):
		return true
	case f.hasUnitBehind(last.end), f.signBefore(groups[0].start):
		return true
	case f.hasWordBefore(groups[0].start, orders), f.hasWordBefore(groups[0].start, prices), f.hasWordBefore(groups[0].start, sizes):
		return true
	}
	// A size or a version between letters is part of a name: ABC1234567.
	before, _ := utf8.DecodeLastRuneInString(f.text[:groups[0].start])
	return unicode.IsLetter(before) && (len(groups) == 1 || len(groups[0].digits) < 4) // A56 8/128 12
}

// roundThousands tells an amount that only looks like a number of seven or eight digits: telefon
// 4 200 000 is a price.
func roundThousands(groups []group) bool {
	digits := digitsOf(groups)
	return len(digits) <= 8 && thousands(groups) && strings.HasSuffix(digits, "000")
}

// isCode tells digits between Latin letters, such as those of a tracking code: RB123456789UZ.
func (f *finder) isCode(g group) bool {
	before, _ := utf8.DecodeLastRuneInString(f.text[:g.start])
	after, _ := utf8.DecodeRuneInString(f.text[g.end:])
	return script.Of(before) == script.Latin && script.Of(after) == script.Latin && unicode.IsUpper(before) && unicode.IsUpper(after)
}

// decimal tells thousands with a decimal part behind: 1 250 000.50.
func decimal(groups []group) bool {
	n := len(groups) - 1
	return n > 0 && (groups[n].joint == dotted || groups[n].joint == comma) && len(groups[n].digits) <= 2 && (n == 1 && groups[0].joint != tight || thousands(groups[:n]))
}

// signBefore tells a sign of money or numbers before a place.
func (f *finder) signBefore(at int) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(f.text[:at], " "))
	return strings.ContainsRune("$€₽₸#№", r)
}

// hasUnitBehind tells a currency, a scale or a unit directly behind a place.
func (f *finder) hasUnitBehind(at int) bool {
	rest := strings.TrimLeft(f.text[at:min(len(f.text), at+60)], " \u00a0-'’")
	if r, _ := utf8.DecodeRuneInString(rest); strings.ContainsRune("$€₽₸%", r) && rest != "" {
		return true
	}
	end := 0
	for end < len(rest) {
		r, n := utf8.DecodeRuneInString(rest[end:])
		if !unicode.IsLetter(r) && !script.IsApostrophe(r) && r != 0x2bb {
			break
		}
		end += n
	}
	return end > 0 && currencyOrUnit(foldWord(rest[:end]))
}

// hasWordBefore tells a word of a list among the three words before a place.
func (f *finder) hasWordBefore(at int, list map[string]bool) bool {
	from := max(0, at-80)
	for from < at && !utf8.RuneStart(f.text[from]) {
		from++
	}
	before := f.text[from:at]
	if strings.ContainsRune(strings.TrimRight(before, " \n"), '№') && strings.HasSuffix(strings.TrimRight(before, " "), "№") {
		return list["№"]
	}
	words := script.Tokens(before)
	for i := len(words) - 1; i >= max(0, len(words)-3); i-- {
		if list[words[i]] {
			return true
		}
		if r := words[i][0]; script.IsDigit(r) && i < len(words)-1 {
			return false // what stands before another number belongs to that
		}
	}
	return false
}
