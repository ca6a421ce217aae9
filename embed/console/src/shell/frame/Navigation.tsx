import { NavLink, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Feature, NavEntry } from '../feature';
import { type Permission, useCan } from '../session/me';

const groups = ['work', 'messenger', 'developers', 'organization', 'map', 'platform'] as const;

export interface Entry extends NavEntry {
  feature: string;
}

/** What a person may open, in the order of the groups. */
export function entriesFor(
  features: readonly Feature[],
  can: (p: Permission | undefined) => boolean,
): { group: NavEntry['group']; entries: Entry[] }[] {
  const all = features.flatMap((f) => (f.navigation ?? []).map((e) => ({ ...e, feature: f.name }))).filter((e) => can(e.needs));
  return groups
    .map((group) => ({ group, entries: all.filter((e) => e.group === group).sort((a, b) => a.order - b.order) }))
    .filter((g) => g.entries.length > 0);
}

/** Whether the page that is open belongs to an entry. */
export function isOpen(to: string, path: string): boolean {
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
}

export function Navigation({ features, onGo }: { features: readonly Feature[]; onGo: () => void }) {
  const { t } = useTranslation(['shell', 'nav']);
  const can = useCan();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const shown = entriesFor(features, can);
  const nav = useRef<HTMLElement>(null);
  // Whoever has many pages sees in the menu which of them is open.
  useEffect(() => {
    void nav.current?.querySelector('[aria-current=page]')?.scrollIntoView?.({ block: 'nearest' });
  }, [path]);
  return (
    <nav ref={nav} aria-label={t('shell:navigation')}>
      {shown.map(({ group, entries }) => (
        <div key={group} role="group" aria-label={t(`shell:group.${group}`)}>
          {group !== 'work' && (
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
              {t(`shell:group.${group}`)}
            </Text>
          )}
          {entries.map((e) => (
            <NavLink
              key={e.to}
              component={Link}
              to={e.to}
              label={t(`nav:${e.feature}.${e.label}` as never)}
              leftSection={<e.icon size={19} stroke={1.6} aria-hidden />}
              active={isOpen(e.to, path)}
              aria-current={isOpen(e.to, path) ? 'page' : undefined}
              onClick={onGo}
              py={6}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </div>
      ))}
    </nav>
  );
}
