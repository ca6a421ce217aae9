package main

import (
	"encoding/csv"
	"os"
	"strings"
)

// phraseRows are the words of categories that Nominatim is taught, so that it knows them as
// its own installations do that load them from a wiki: the key and the value of a tag, then
// words.
var phraseRows = []string{
	"amenity pharmacy|pharmacy|pharmacies|chemist|аптека|аптеки|dorixona",
	"amenity bank|bank|banks|банк|банки",
	"amenity atm|atm|atms|банкомат|банкоматы|bankomat",
	"amenity cafe|cafe|cafes|coffee shop|кафе|kafe",
	"amenity restaurant|restaurant|restaurants|ресторан|рестораны|restoran",
	"amenity fast_food|fast food|фастфуд",
	"amenity bar|bar|bars|бар|бары",
	"amenity pub|pub|pubs|паб|пабы",
	"amenity school|school|schools|школа|школы|maktab",
	"amenity kindergarten|kindergarten|kindergartens|детский сад|детские сады|bogʻcha",
	"amenity university|university|universities|университет|университеты|universitet",
	"amenity hospital|hospital|hospitals|больница|больницы|shifoxona",
	"amenity clinic|clinic|clinics|поликлиника|поликлиники|klinika",
	"amenity dentist|dentist|dentists|стоматология|стоматологии",
	"amenity place_of_worship|church|churches|церковь|церкви|храм|mosque|mosques|мечеть|мечети|masjid",
	"amenity fuel|petrol station|petrol stations|gas station|gas stations|fuel|заправка|заправки|азс",
	"amenity parking|parking|parkings|car park|парковка|парковки|стоянка",
	"amenity police|police|police station|police stations|полиция",
	"amenity post_office|post office|post offices|почта|pochta",
	"amenity library|library|libraries|библиотека|библиотеки|kutubxona",
	"amenity cinema|cinema|cinemas|кинотеатр|кинотеатры|kinoteatr",
	"amenity theatre|theatre|theatres|театр|театры|teatr",
	"amenity toilets|toilet|toilets|туалет|туалеты",
	"shop supermarket|supermarket|supermarkets|супермаркет|супермаркеты",
	"shop convenience|shop|shops|store|магазин|магазины|продукты|doʻkon",
	"shop bakery|bakery|bakeries|пекарня|булочная",
	"shop books|bookshop|bookshops|книжный магазин|книжный",
	"shop hairdresser|hairdresser|hairdressers|парикмахерская",
	"tourism hotel|hotel|hotels|гостиница|гостиницы|отель|отели|mehmonxona",
	"tourism museum|museum|museums|музей|музеи|muzey",
	"tourism viewpoint|viewpoint|viewpoints|смотровая площадка",
	"leisure park|park|parks|парк|парки",
	"leisure playground|playground|playgrounds|детская площадка",
	"natural beach|beach|beaches|пляж|пляжи",
	"highway bus_stop|bus stop|bus stops|остановка|остановки|bekat",
	"railway station|train station|railway station|вокзал|vokzal",
	"railway subway_entrance|metro|метро",
}

// writePhrases writes the file that `nominatim special-phrases --import-from-csv` reads.
func writePhrases(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	_ = w.Write([]string{"phrase", "class", "type", "operator", "plural"})
	for _, row := range phraseRows {
		words := strings.Split(row, "|")
		key, value, _ := strings.Cut(words[0], " ")
		for _, word := range words[1:] {
			_ = w.Write([]string{word, key, value, "-", "N"})
			for _, in := range []string{"in", "at", "в", "на"} {
				_ = w.Write([]string{word + " " + in, key, value, "in", "N"})
			}
			for _, near := range []string{"near", "near to", "next to", "around", "рядом с", "около", "возле"} {
				_ = w.Write([]string{word + " " + near, key, value, "near", "N"})
			}
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
