package lang

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func values(text string) string {
	var out []string
	for _, n := range Numbers(text) {
		s := strconv.FormatFloat(n.Value, 'f', -1, 64)
		if n.RangeTo {
			s += "-"
		}
		if n.Ordinal {
			s += "th"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"12 500 000 so'm": "12500000", "12.500.000": "12500000", "12,500,000.50": "12500000.5", "12'500'000": "12500000", "1 500,5": "1500.5",
		"250 ming": "250000", "250ming so'm": "250000", "250 mingga": "250000", "1,5 mln": "1500000", "1.250 mln": "1250000", "1.250 so'm": "1250", "2 млн 300 тыс": "2300000",
		"5k": "5000", "100к": "100000", "4.2M UZS": "4200000", "$3M": "3000000", "4.2m": "4.2", "3M lenta": "3", "$38.25": "38.25", "10.15": "10 15", "50 тыс. сум": "50000", "0.5 kg": "0.5", "3,75 %": "3.75",
		"90 123 45 67": "90 123 45 67", "iPhone 15 128GB": "15 128", "2 ta 500 gramm": "2 500", "8/256": "8 256",
		"ikki yuz ellik ming so'm": "250000", "икки юз эллик минг сўм": "250000", "bir million ikki yuz ming": "1200000", "to'qqiz million sakkiz yuz ming": "9800000",
		"bir yarim million": "1500000", "2 yarim million": "2500000", "yarim million": "500000", "o'n besh": "15", "ўн беш минг": "15000", "beshta": "5", "ikki-uch kun": "2- 3", "uchinchi": "3th", "on ming": "10000",
		"девять миллионов восемьсот тысяч": "9800000", "полтора миллиона": "1500000", "двести пятьдесят": "250", "полмиллиона": "500000", "девять с половиной тысяч": "9500", "сто двадцать пять": "125", "двенадцать": "12", "тысяча": "1000",
		"two hundred and fifty thousand": "250000", "two and a half million": "2500000", "twenty five": "25", "half a million": "500000", "one hundred": "100",
		"260–310 ming": "260000- 310000", "5-6 kun": "5- 6", "на двоих — 1780": "2 1780", "от одного до 3": "1- 3", "троим": "3", "200-250 ming": "200000- 250000", "1 dan 3 gacha": "1- 3", "от 100 до 150 тыс": "100000- 150000",
		"третий этаж": "3th", "восьмого": "8th", "every sixth": "6th", "пяти шестой": "5 6th", "двое суток": "2", "вторник": "", "пятница": "",
		"эти розы": "", "с этими и этим": "", "Эти 5 роз": "5", "yeti dona": "7", "етти кун": "7", "eti kun": "7",
		"on the table": "", "он ушёл": "", "15.09.2026 soat 18.00": "15 9 2026 18 0", "٣٠٠ ming": "300000", "A52 bormi": "52", "": "", "yoz": "", "2026-yil": "2026",
		"9 800 000 dan 12 000 000 gacha": "9800000- 12000000", "narxi 45 000, 2 dona": "45000 2", "3 ta 120 000 dan": "3 120000",
	} {
		if got := values(in); got != want {
			t.Errorf("%q has numbers %q, want %q", in, got, want)
		}
	}
}

func TestNumbersStandWhereTheyWereWritten(t *testing.T) {
	for in, want := range map[string]string{"narxi 250 ming so'm": "250 ming", "кўйлак икки юз минг сўмдан": "икки юз минг", "за 1,5 млн сум": "1,5 млн", "١٢٣ so'm": "١٢٣"} {
		n := Numbers(in)
		if len(n) != 1 || in[n[0].Start:n[0].End] != want {
			t.Errorf("%q has %+v, want %q", in, n, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for in, want := range map[string]string{
		"250 ming so'mdan": "250000-250000 UZS", "$25": "25-25 USD", "1 500 $": "1500-1500 USD", "100–150 ming сум": "100000-150000 UZS", "300 долларов": "300-300 USD",
		"100 у.е.": "100-100 USD", "5 dona": "", "besh yuz ming so'm": "500000-500000 UZS", "2000 ₽": "2000-2000 RUB",
	} {
		got := ""
		for _, a := range Amounts(in) {
			got += fmt.Sprintf("%d-%d %s", int64(a.Min), int64(a.Max), a.Currency)
		}
		if got != want {
			t.Errorf("%q has sums %q, want %q", in, got, want)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"12 500 000 so'm", "девять с половиной тысяч", "o'n besh ming", "2 mln 300 ming", "1.2,3.4 k, k ming", "\xff5к٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, n := range Numbers(s) {
			if n.Start < at || n.End <= n.Start || n.End > len(s) || n.Value < 0 || n.Value != n.Value {
				t.Fatalf("%q: %+v behind %d", s, n, at)
			}
			at = n.End
		}
		for _, a := range Amounts(s) {
			if a.Start < 0 || a.End > len(s) || a.Start >= a.End {
				t.Fatalf("%q: %+v", s, a)
			}
		}
	})
}

func BenchmarkNumbers(b *testing.B) {
	for b.Loop() {
		Numbers("Куртка нархи икки юз эллик минг сўм, 3 та олсангиз 700 ming, yetkazib berish 25 000 so'm, 1-2 kun")
	}
}
