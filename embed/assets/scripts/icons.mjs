// Which drawing stands for what. A drawing is named as in the category table:
// "maki:bank" and "temaki:atm" are icons of those packages, "own:oneway" is a
// file of the folder icons beside package.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder, root } from './out.mjs';

const folders = {
  maki: path.join(packageFolder('@mapbox/maki'), 'icons'),
  temaki: path.join(packageFolder('@rapideditor/temaki'), 'icons'),
  own: path.join(root, 'icons'),
};

/** The drawing: its box "x y width height" and the elements in it. */
export function drawing(name) {
  const [set, file] = name.split(':');
  const svg = readFileSync(path.join(folders[set], `${file}.svg`), 'utf8');
  const [, head, body] = /<svg([^>]*)>(.*)<\/svg>/s.exec(svg);
  return { viewBox: /viewBox="([^"]+)"/.exec(head)[1], body };
}

/**
 * What the styles of @versatiles/style call for, without "icon-", where the
 * drawing is not the Maki icon of the same name (with - for _).
 */
const icons = {
  artwork: 'temaki:statue',
  atm: 'temaki:atm',
  beauty: 'temaki:beauty_salon',
  beer_mug: 'maki:beer',
  bench: 'temaki:bench',
  beverages: 'temaki:bottles',
  books: 'temaki:book_store',
  butcher: 'temaki:cleaver',
  car_wash: 'temaki:car_wash',
  caravan: 'temaki:camper_trailer',
  chalet: 'temaki:cabin',
  clothes: 'maki:clothing-store',
  community: 'temaki:social_facility',
  dharma_wheel: 'maki:religious-buddhist',
  do_it_yourself: 'temaki:tools',
  dog: 'maki:dog-park',
  dry_cleaning: 'temaki:clothes_hanger',
  emergency_access: 'temaki:asterisk',
  fountain: 'temaki:fountain',
  fuel_pump: 'maki:fuel',
  garden_center: 'maki:garden-centre',
  greengrocer: 'temaki:grapes',
  hunting_stand: 'temaki:hunting_blind',
  hydrant: 'temaki:fire_hydrant',
  ice_rink: 'temaki:ice_skating',
  justice: 'temaki:courthouse',
  khanda: 'temaki:sikhism',
  latin_cross: 'maki:religious-christian',
  marketplace: 'maki:shop',
  newsagent: 'temaki:vending_newspaper',
  newspaper: 'temaki:vending_newspaper',
  nursing_home: 'temaki:social_facility',
  om: 'temaki:hinduism',
  outdoor: 'temaki:tents',
  person_kneeling_and_praying: 'maki:place-of-worship',
  pill: 'maki:pharmacy',
  pint_glass: 'maki:beer',
  police_officer: 'maki:police',
  postbox: 'temaki:post_box',
  restrooms: 'maki:toilet',
  ring: 'maki:jewelry-store',
  rocking_horse: 'temaki:spring_rider',
  scissors_and_comb: 'maki:hairdresser',
  seesaw: 'temaki:seesaw',
  shoes: 'maki:shoe',
  shrine: 'temaki:obelisk',
  sports: 'maki:soccer',
  star_and_crescent: 'maki:religious-muslim',
  star_of_david: 'maki:religious-jewish',
  stationery: 'own:pencil',
  surveillance: 'temaki:security_camera',
  theater: 'maki:theatre',
  travel_agent: 'maki:suitcase',
  tube_and_toothbrush: 'temaki:detergent_bottle',
  vending_machine: 'temaki:vending_machine',
  video: 'temaki:movie_rental',
  wastewater: 'temaki:waste',
  water_park: 'temaki:slide2',
  waterworks: 'temaki:water_tower',
  yin_yang: 'temaki:taoism',
};

const others = {
  'marking-oneway': 'own:oneway',
  'pattern-hatched': 'own:hatched',
  'pattern-hatched_thin': 'own:hatched_thin',
  'pattern-striped': 'own:striped',
  'transport-information': 'maki:information',
  'transport-tram': 'temaki:tram',
};

/** The drawing of an image of the sheet base. */
export function baseIcon(id) {
  if (!id.startsWith('icon-')) {
    if (!others[id]) throw new Error(`the styles use base:${id}: give it a drawing in scripts/icons.mjs`);
    return others[id];
  }
  const name = id.slice('icon-'.length);
  return icons[name] ?? `maki:${name.replaceAll('_', '-')}`;
}

/** Icons of groups that no category has, and what stands for anything else. */
const groupIcons = {
  beauty: 'temaki:beauty_salon',
  culture: 'maki:museum',
  education: 'maki:school',
  health: 'maki:hospital',
  nature: 'maki:natural',
  office: 'temaki:briefcase',
  place: 'maki:marker',
  services: 'maki:town-hall',
  shopping: 'temaki:shopping_mall',
  transport: 'maki:bus',
};

/** What a result carries when neither its category nor its group has an icon. */
const anyPlace = { icon: 'poi', color: '#4B5563', drawing: 'maki:marker' };

/**
 * The images of the sheets places and places-sdf: one for each icon that a
 * result can carry, in the colour of its group, by name.
 */
export function placeIcons() {
  const file = path.join(root, '..', '..', 'geo', 'category', 'categories.json');
  const { groups, categories } = JSON.parse(readFileSync(file));
  const colors = new Map(groups.map((g) => [g.id, g.color]));
  const out = new Map([[anyPlace.icon, anyPlace]]);
  for (const c of categories) {
    const known = out.get(c.icon);
    const next = { icon: c.icon, color: colors.get(c.group), drawing: c.icon_source };
    if (known && (known.color !== next.color || known.drawing !== next.drawing)) {
      throw new Error(`two categories share the icon ${c.icon} and differ in colour or drawing`);
    }
    out.set(c.icon, next);
  }
  for (const g of groups) {
    if (!out.has(g.icon)) out.set(g.icon, { icon: g.icon, color: g.color, drawing: groupIcons[g.icon] });
    if (!out.get(g.icon).drawing) throw new Error(`the group ${g.id} has the icon ${g.icon}: give it a drawing in scripts/icons.mjs`);
  }
  return [...out.values()].sort((a, b) => (a.icon < b.icon ? -1 : 1));
}
