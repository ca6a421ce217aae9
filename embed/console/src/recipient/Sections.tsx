import { Button, Group } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Link } from '@shell';

const sections = [
  { to: '/recipients', key: 'people' },
  { to: '/recipients/lists', key: 'lists' },
  { to: '/recipients/tags', key: 'tags' },
  { to: '/recipients/imports', key: 'imports' },
  { to: '/recipients/suppressions', key: 'suppressions' },
] as const;

/** The parts of "Recipients", on each of them. */
export function Sections() {
  const { t } = useTranslation('recipient');
  const path = useRouterState({ select: (s) => s.location.pathname });
  return (
    <Group component="nav" aria-label={t('sections.title')} gap={4} mb="md">
      {sections.map((s) => {
        const here = path === s.to;
        return (
          <Button
            key={s.to}
            component={Link}
            to={s.to}
            size="compact-sm"
            fw={here ? 650 : 500}
            variant={here ? 'light' : 'subtle'}
            color={here ? undefined : 'gray'}
            c="var(--mantine-color-text)"
            aria-current={here ? 'page' : undefined}
          >
            {t(`sections.${s.key}`)}
          </Button>
        );
      })}
    </Group>
  );
}
