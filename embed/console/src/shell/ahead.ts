// The first page is on its way while the frame is drawn. On a slow line each thing that
// waits for another costs as long as many kilobytes: who is here is asked with the
// words of the frame, and the page at this address with its own words and figures is
// fetched as soon as somebody is.
import { loadCodes } from './codes/load';
import type { Feature, PageRoute } from './feature';
import { fetchWords } from './language/i18n';
import { setZone } from './language/zone';
import { loadWelcome } from './session/welcome';
import { askMe, may, waitsForCode } from './session/me';

/** Begins; it never fails, for whoever shows the page asks again and says so. */
export async function begin(features: readonly Feature[], path: string): Promise<void> {
  const me = await askMe();
  setZone(me?.organization?.timezone);
  const found = pageAt(features, path);
  if (!me || waitsForCode(me)) void Promise.all([loadWelcome(), fetchWords('shell')]).catch(() => {}); // who shows it asks again
  if (!me || waitsForCode(me) || !found || (found.page.needs && !may(me, found.page.needs, false))) return;
  const { feature, page } = found;
  if (me.organization) void Promise.resolve(page.ahead?.((p) => may(me, p, false))).catch(() => {}); // the page asks again, and says why
  await Promise.allSettled([
    page.load(),
    fetchWords(feature.name),
    fetchWords('shell'),
    fetchWords('shell/codes'),
    loadCodes(),
    ...features.filter((f) => f.header).flatMap((f) => [f.header!(), fetchWords(f.name)]),
  ]);
}

/** The page that an address below /console names: of several the one that has the fewest parameters. */
export function pageAt(features: readonly Feature[], path: string): { feature: Feature; page: PageRoute } | undefined {
  const parts = path.split('/').filter(Boolean);
  const all = features.flatMap((feature) => feature.pages.map((page) => ({ feature, page, parts: page.path.split('/').filter(Boolean) })));
  const fits = all.filter((p) => p.parts.length === parts.length && p.parts.every((x, i) => x.startsWith('$') || x === parts[i]));
  const parameters = (p: { parts: string[] }) => p.parts.filter((x) => x.startsWith('$')).length;
  return fits.sort((a, b) => parameters(a) - parameters(b))[0];
}
