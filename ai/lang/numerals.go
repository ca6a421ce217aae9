package lang

import "strings"

// part says how a numeral takes part in a number.
type part uint8

const (
	ones     part = iota + 1 // 1 to 9
	teens                    // 10 to 19 in one word
	tens                     // 10 of Uzbek, 20, 30 …: ones may follow
	hundreds                 // 200 in one word
	hundred                  // multiplies what stands before
	scale                    // thousand, million, milliard
	half                     // adds a half, or is one
	oneHalf                  // полтора
	zero
)

// tongue is the language of a numeral: words of two languages are two numbers, but
// scales are shared.
type tongue uint8

const (
	anyTongue tongue = iota
	uzbek
	russian
	english
)

type numeral struct {
	part   part
	value  float64
	tongue tongue
}

// numerals holds every form of the closed classes, as script.Tokens writes them. Uzbek
// endings are taken off first (see numeralOf).
var numerals = readNumerals()

func readNumerals() map[string]numeral {
	all := map[string]numeral{}
	add := func(t tongue, p part, lines string) {
		for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
			f := strings.Fields(line)
			value := parseDigits(f[0])
			for _, w := range f[1:] {
				all[w] = numeral{p, value, t}
			}
		}
	}
	add(uzbek, ones, `
1 bir
2 ikki iki
3 uch
4 tort turt
5 besh
6 olti
7 yetti yeti etti eti
8 sakkiz sakiz
9 toqqiz toqiz tuqqiz tuqiz`)
	add(uzbek, tens, `
10 on
20 yigirma
30 ottiz otiz uttiz
40 qirq kirk
50 ellik elik
60 oltmish
70 yetmish
80 sakson
90 toqson tuqson`)
	add(uzbek, hundred, `
100 yuz`)
	add(russian, ones, `
1 odin odna odno odnu odnogo odnoy odnomu
2 dva dve dvux dvum dvumya dvoe dvoye dvoix dvoim
3 tri troe troye troix troim trex tryox trem tryom tremya
4 chetire chetvero chetverix chetiryox chetirex chetiryom chetirem
5 pyat pyati pyatyu pyatero pyaterix
6 shest shesti shestyu
7 sem semi semyu
8 vosem vosmi
9 devyat devyati devyatyu`)
	add(russian, teens, `
10 desyat desyati desyatyu
11 odinnadtsat odinnadtsati
12 dvenadtsat dvenadtsati
13 trinadtsat trinadtsati
14 chetirnadtsat chetirnadtsati
15 pyatnadtsat pyatnadtsati
16 shestnadtsat shestnadtsati
17 semnadtsat semnadtsati
18 vosemnadtsat vosemnadtsati
19 devyatnadtsat devyatnadtsati`)
	add(russian, tens, `
20 dvadtsat dvadtsati
30 tridtsat tridtsati
40 sorok soroka
50 pyatdesyat pyatidesyati
60 shestdesyat shestidesyati
70 semdesyat semidesyati
80 vosemdesyat vosmidesyati
90 devyanosto devyanosta`)
	add(russian, hundreds, `
100 sto sta
200 dvesti dvuxsot
300 trista tryoxsot trexsot
400 chetiresta chetiryoxsot chetirexsot
500 pyatsot pyatisot
600 shestsot shestisot
700 semsot semisot
800 vosemsot vosmisot
900 devyatsot devyatisot`)
	add(english, ones, `
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine`)
	add(english, teens, `
10 ten
11 eleven
12 twelve
13 thirteen
14 fourteen
15 fifteen
16 sixteen
17 seventeen
18 eighteen
19 nineteen`)
	add(english, tens, `
20 twenty
30 thirty
40 forty fourty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety`)
	add(english, hundred, `
100 hundred hundreds`)
	add(anyTongue, scale, `
1000 ming tisyacha tisyachi tisyach tisyachu tisyacham tis tiys thousand thousands k ths tishcha tishch tish
1000000 million millionov milliona millioni millionu mln milyon milon millions millon lyam lyama lyamov m
1000000000 milliard milliardov milliarda milliardi mlrd billion billions billiona`)
	add(uzbek, half, `
0 yarim yarm`)
	add(russian, half, `
0 polovina polovinoy polovinu`)
	add(english, half, `
0 half`)
	add(russian, oneHalf, `
0 poltora poltori polutora`)
	add(anyTongue, zero, `
0 nol nul noll zero nolga`)
	return all
}

// ordinals are the places in an order of Russian, in every case, and of English.
var ordinals = readOrdinals()

func readOrdinals() map[string]numeral {
	all := map[string]numeral{}
	for i, stem := range strings.Fields("perv vtor tret chetvyort pyat shest sedm vosm devyat desyat") {
		for _, end := range strings.Fields("iy oy aya oe oye ogo om omu im uyu oyu ie iye ix imi ego yego em yem ya ye yu") {
			for _, s := range [2]string{stem, strings.ReplaceAll(stem, "yo", "e")} {
				all[s+end] = numeral{ones, float64(i + 1), russian}
				if stem == "tret" {
					all[s+"i"+end] = numeral{ones, float64(i + 1), russian}
				}
			}
		}
	}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth") {
		all[w] = numeral{ones, float64(i + 1), english}
	}
	return all
}

func parseDigits(s string) (n float64) {
	for i := range len(s) {
		n = n*10 + float64(s[i]-'0')
	}
	return n
}

// endingsOfNumerals are what Uzbek adds to a numeral, the longer ones first, and whether
// the numeral then says a place in an order.
var endingsOfNumerals = []struct {
	end     string
	ordinal bool
}{
	{"inchisini", true}, {"inchisi", true}, {"inchi", true}, {"nchi", true},
	{"tadan", false}, {"tagacha", false}, {"tasini", false}, {"tasi", false}, {"talik", false}, {"tacha", false}, {"taga", false}, {"tani", false}, {"ta", false},
	{"gachan", false}, {"gacha", false}, {"larga", false}, {"lar", false}, {"likka", false}, {"lik", false}, {"dan", false}, {"ning", false}, {"ni", false}, {"ga", false},
	{"da", false}, {"ka", false}, {"qa", false}, {"dir", false}, {"cha", false}, {"mi", false},
}

// numeralOf finds what a word counts; stripped says that an ending was taken off, behind
// which a number ends.
func numeralOf(word string) (n numeral, stripped, ordinal, ok bool) {
	if n, ok = numerals[word]; ok {
		return n, false, false, true
	}
	for _, e := range endingsOfNumerals {
		stem, has := strings.CutSuffix(word, e.end)
		if !has {
			continue
		}
		n, ok = numerals[stem]
		if ok && (n.tongue == uzbek || n.part == scale) {
			return n, true, e.ordinal, true
		}
	}
	if n, ok = ordinals[word]; ok {
		return n, true, true, true
	}
	if stem, has := strings.CutPrefix(word, "pol"); has {
		if n, ok = numerals[stem]; ok && n.part == scale {
			return numeral{scale, n.value / 2, russian}, false, false, true
		}
	}
	return numeral{}, false, false, false
}
