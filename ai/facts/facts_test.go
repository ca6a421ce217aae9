package facts

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)

func list(text string) string {
	var out []string
	for _, f := range Of(text, "", now, nil) {
		s := fmt.Sprintf("%s %v", f.Kind, f.Min)
		if f.Max != f.Min {
			s += fmt.Sprintf("-%v", f.Max)
		}
		if extra := f.Currency + f.Unit + f.Name; extra != "" {
			s += " " + extra
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestFactsOfTexts(t *testing.T) {
	for in, want := range map[string]string{
		"750 000 so'm": "MONEY 750000 UZS", "750 ming so‘m": "MONEY 750000 UZS", "3,29 млн сум": "MONEY 3.29e+06 UZS", "$15": "MONEY 15 USD",
		"260 000 dan 310 000 so'mgacha": "MONEY 260000-310000 UZS", "oyiga 3%": "PERCENT 3", "12 месяцев": "DURATION 12 month", "один год": "DURATION 12 month",
		"90 minutes": "DURATION 90 minute", "полчаса": "DURATION 30 minute", "2-4 kun": "DURATION 2880-5760 minute", "10:00-21:00": "CLOCK 600; CLOCK 1260",
		"soat 9 da": "CLOCK 540", "в 8 вечера": "CLOCK 1200", "5 December 2026": "DATE 1205", "+998 71 200 11 22": "PHONE 0 +998712001122",
		"info@bilim.example": "EMAIL 0 info@bilim.example", "https://www.Shop.example/a/": "URL 0 shop.example/a", "qizil rang": "ATTRIBUTE 0 colour:red",
		"десять дней": "DURATION 14400 minute", "минут двадцать": "DURATION 20 minute", "минут через сорок": "DURATION 40 minute", "6th": "", "5-й день": "", "третий этаж": "COUNT 3 floor", "15-sanasigacha": "COUNT 15 monthday",
		"с половины восьмого до десяти утра": "CLOCK 450; CLOCK 600", "soat olti yarimdan sakkiz yarimgacha": "CLOCK 390; CLOCK 510", "bir yarim yoshdan": "DURATION 18 month", "6 kvadrat metr": "COUNT 6 m2", "It takes just a day": "DURATION 1440 minute", "See you": "",
		"S dan XXL gacha": "ATTRIBUTE 0-4 sizesize:S", "": "", "salom": "",
	} {
		if got := list(in); got != want {
			t.Errorf("%q has %q, want %q", in, got, want)
		}
	}
}

// A free hour is no promise of a price.
func TestFreeOfOthers(t *testing.T) {
	for text, want := range map[string]bool{
		"Free times: 27.11.2026 11:30, 12:00. Which one suits you?": false, "Unfortunately that time is not free.": false, "These slots are free tomorrow.": false, "Feel free to write.": false,
		"The cup is free.": true, "You get a free cup.": true,
	} {
		found := false
		for _, f := range Of(text, "en", now, nil) {
			found = found || f.Name == PromiseFree
		}
		if found != want {
			t.Errorf("%q promises something free: %v", text, found)
		}
	}
}

// FuzzOf holds that facts stand inside of their text.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"6-я мойка, минут через сорок, с половины восьмого", "15-sanasigacha, soat olti yarimdan sakkiz yarimgacha", "from 10 to 4, age of five, an hour before, 24/7", "без обеда, на год.", "750 000 so'm", "10:00-21:00", "5 dekabr", "S dan XXL", "+998 71", "\xff7%", "1.2.3.4-5 kun"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, x := range Of(text, "", now, nil) {
			if x.Start < 0 || x.End < x.Start || x.End > len(text)+3*len(text) {
				t.Fatalf("span %d %d of %q", x.Start, x.End, text)
			}
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("Qishki kurtka 750 000 so'm, yetkazib berish 1 kun ichida. ", 17)
	for b.Loop() {
		Of(text, "uz", now, nil)
	}
}
