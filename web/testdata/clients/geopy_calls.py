"""Asks a server through geopy as its users do, and fails at the first wrong answer.

python geopy_calls.py HOST:PORT/k/KEY
"""

import sys

from geopy.exc import GeocoderAuthenticationFailure, GeocoderQuotaExceeded
from geopy.geocoders import Nominatim, Photon

base = sys.argv[1]
host = base.split("/")[0]
patience = 30  # seconds; geopy gives up after one, which a machine that does other work takes


def same(got, want, what):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


nominatim = Nominatim(scheme="http", domain=base + "/nominatim", user_agent="svc-test", timeout=patience)
place = nominatim.geocode("tarix muzeyi", addressdetails=True, language="en", extratags=True, namedetails=True)
same(place.raw["osm_id"], 111, "the museum")
same((place.latitude, place.longitude), (41.5045, 64.5045), "where it stands")
same(place.raw["address"]["country_code"], "uz", "its country")
same(place.raw["address"]["city"], "Bogʻishamol", "its city")
same(place.raw["extratags"]["opening_hours"], "Tu-Su 10:00-17:00", "its hours")
if not place.address.startswith("History Museum, "):
    sys.exit(f"its address: {place.address}")

several = nominatim.geocode("korzinka", exactly_one=False, limit=2)
same([p.raw["name"] for p in several], ["Korzinka", "Korzinka"], "two shops")
same(nominatim.geocode("qwertzuiop asdfgh"), None, "what is not there")
same(nominatim.geocode({"street": "12a Navoiy koʻchasi", "city": "Bogʻishamol"}).raw["type"], "house", "a house by fields")
same(nominatim.geocode({"city": "Bogʻishamol", "country": "Uzbekistan"}).raw["osm_id"], 902, "a town by fields")
same(nominatim.geocode("Bogʻishamol", country_codes=["kz"]), None, "a town in another country")
same(nominatim.geocode("Bogʻishamol", country_codes="uz", featuretype="city").raw["osm_id"], 902, "a town in its country")
inside = nominatim.geocode("korzinka", viewbox=[(41.49, 64.48), (41.51, 64.49)], bounded=True)
same(inside.raw["osm_id"], 109, "the shop in the box")
outline = nominatim.geocode("Bogʻishamol", geometry="geojson")
same(outline.raw["geojson"]["type"], "MultiPolygon", "an outline")

here = nominatim.reverse((41.5, 64.5), language="ru")
same(here.raw["osm_id"], 110, "the station")
same(here.raw["name"], "Центр", "its Russian name")
same(nominatim.reverse((41.5, 64.5), zoom=10).raw["osm_id"], 902, "the town around")
same(nominatim.reverse((10, 10)), None, "the middle of nowhere")

photon = Photon(scheme="http", domain=base + "/photon", user_agent="svc-test", timeout=patience)
place = photon.geocode("tarix muzeyi", language="en")
same(place.raw["properties"]["osm_id"], 111, "photon: the museum")
if not place.address.startswith("History Museum, "):
    sys.exit(f"photon: its address: {place.address}")
near = photon.geocode("korzinka", location_bias=(41.502, 64.485))
same(near.raw["properties"]["osm_id"], 109, "photon: the nearer shop")
stations = photon.geocode("Markaz", osm_tag=["railway"], exactly_one=False)
same([s.raw["properties"]["osm_value"] for s in stations], ["station"], "photon: by tag")
boxed = photon.geocode("korzinka", bbox=[(41.49, 64.48), (41.51, 64.49)])
same(boxed.raw["properties"]["osm_id"], 109, "photon: the shop in the box")
same(photon.geocode("qwertzuiop asdfgh"), None, "photon: what is not there")
same(photon.reverse((41.5, 64.5)).raw["properties"]["osm_id"], 110, "photon: the station")
same(len(photon.reverse((41.5, 64.5), exactly_one=False, limit=3)), 3, "photon: three places around")

for client in (Nominatim(scheme="http", domain=host + "/nominatim", user_agent="svc-test", timeout=patience), Photon(scheme="http", domain=host + "/photon", user_agent="svc-test", timeout=patience)):
    try:
        client.geocode("tarix muzeyi")
        sys.exit(f"{client} was let in without a key")
    except GeocoderAuthenticationFailure:
        pass

# The quota of the key ends where it said: the server tells how many were asked.
try:
    for _ in range(100):
        nominatim.geocode("tarix muzeyi")
    sys.exit("the quota never ended")
except GeocoderQuotaExceeded:
    pass
print("geopy is content")
