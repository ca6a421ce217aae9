import { Button, Group } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import { Link } from '../link';
import { useIsBeside } from '../split/pane';
import { useChosenInSight } from './chosen';

/** The pages that belong together, under the title of each of them. */
export function Sections({ of }: { of: readonly { to: Href; label: string }[] }) {
  const { t } = useTranslation('shell');
  const path = useRouterState({ select: (s) => s.location.pathname });
  const beside = useIsBeside();
  const row = useChosenInSight<HTMLDivElement>(path);
  if (of.length < 2 || beside) return null;
  return (
    <Group ref={row} component="nav" aria-label={t('sections')} gap={4} mb="md" className="scrolling">
      {of.map((s) => (
        <Button
          key={s.to}
          component={Link}
          to={s.to}
          size="compact-md"
          fz="sm"
          variant={path === s.to ? 'light' : 'subtle'}
          color={path === s.to ? undefined : 'gray'}
          c={path === s.to ? undefined : 'var(--mantine-color-text)'}
          fw={path === s.to ? 600 : 400}
          aria-current={path === s.to ? 'page' : undefined}
        >
          {s.label}
        </Button>
      ))}
    </Group>
  );
}
