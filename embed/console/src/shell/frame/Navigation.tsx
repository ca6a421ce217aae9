import { UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import type { Area, Feature, NavEntry } from '../feature';
import { useCan } from '../session/me';
import { areasFor, holds, openEntry, shownOf, topOf } from './areas';
import { AreasButton } from './MenuButtons';
import classes from './Navigation.module.css';
import { Link } from '../link';

const AreasMenu = late(() => import('./Menus').then((m) => ({ default: m.AreasMenu })));

/** The areas of a person, the one that is open, and its entry that is. */
function usePlace(features: readonly Feature[]) {
  const can = useCan();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const all = areasFor(features, can);
  const open = openEntry(
    all.flatMap((a) => a.entries),
    path,
  );
  // A page that no entry leads to, such as the profile, leaves the navigation as it was.
  const [last, setLast] = useState<Area>('work');
  if (open && open.area !== last) setLast(open.area);
  const area = all.find((a) => a.area === (open?.area ?? last)) ?? all[0];
  return { all, area, open, path };
}

/** The entries of the area that is open, and the way to the other areas. */
export function Navigation({ features, onGo }: { features: readonly Feature[]; onGo: () => void }) {
  const { t } = useTranslation(['shell/frame', 'nav']);
  const { all, area, open, path } = usePlace(features);
  const [wanted, setWanted] = useState(false); // pressed before the menu was there: it opens when it is
  if (!area) return null;
  return (
    <nav aria-label={t('navigation')}>
      {all.length > 1 && (
        <Suspense fallback={<AreasButton open={area.area} onClick={() => setWanted(true)} />}>
          <AreasMenu all={all} open={area.area} opened={wanted} onGo={onGo} />
        </Suspense>
      )}
      {shownOf(area.entries, open).map((e) => (
        <Link
          key={e.to}
          to={e.to}
          aria-current={e === open ? (path === e.to ? 'page' : true) : undefined}
          onClick={onGo}
          className={classes.entry}
          data-active={e === open || undefined}
          data-below={e.below && topOf(area.entries).includes(e) ? undefined : e.below}
        >
          <e.icon size={19} stroke={1.6} aria-hidden />
          {t(`nav:${e.feature}.${e.label}` as never)}
          {e.count && <Count of={e.count} />}
        </Link>
      ))}
    </nav>
  );
}

function Count({ of, bar }: { of: NonNullable<NavEntry['count']>; bar?: true }) {
  const [Part] = useState(() => late(of));
  return (
    <Suspense>
      <Part bar={bar} />
    </Suspense>
  );
}

/** How many entries the bar of a phone has, beside the one that opens all. */
const inBar = 4;

/** The bar at the bottom of a phone: the first pages of the area, and all of them behind the last button. */
export function BottomBar({
  features,
  opened,
  onMore,
  onGo,
}: {
  features: readonly Feature[];
  opened: boolean;
  onMore: () => void;
  onGo: () => void;
}) {
  const { t } = useTranslation(['shell/frame', 'nav']);
  const { area, path } = usePlace(features);
  if (!area) return null;
  return (
    <nav aria-label={t('bar')} className={classes.bar}>
      {topOf(area.entries)
        .slice(0, inBar)
        .map((e) => (
          <Link
            key={e.to}
            to={e.to}
            className={classes.tab}
            onClick={onGo}
            data-open={(!opened && holds(e, path)) || undefined}
            aria-current={holds(e, path) ? (path === e.to ? 'page' : true) : undefined}
          >
            <e.icon size={22} stroke={1.6} aria-hidden />
            <span>{t(`nav:${e.feature}.${e.label}` as never)}</span>
            {e.count && <Count of={e.count} bar />}
          </Link>
        ))}
      <UnstyledButton className={classes.tab} onClick={onMore} aria-expanded={opened} data-open={opened || undefined}>
        <IconDots size={22} stroke={1.6} aria-hidden />
        {t('more')}
      </UnstyledButton>
    </nav>
  );
}
