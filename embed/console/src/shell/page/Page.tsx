import { Anchor, Box, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import { Link } from '../link';
import { OpenedContext, useIsBeside } from '../split/pane';

/** A page above another, for the way back. */
export interface Above {
  label: string;
  to: Href;
}

interface Props {
  title: string;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The pages above this one, the top first. */
  above?: readonly Above[];
  /** Beside the title: what the thing is now. */
  badge?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: where it is, what it is, what can be done, and its content. */
export function Page({ title, lead, above = [], badge, actions, children }: Props) {
  const { t } = useTranslation('shell');
  const beside = useIsBeside(); // a list beside the page that was opened from it, which is what the window is about
  useEffect(() => {
    if (!beside) document.title = `${title} · svc`;
  }, [title, beside]);
  return (
    <Box p={beside ? 'sm' : { base: 'sm', sm: 'lg' }} maw={1400}>
      {above.length > 0 && (
        <Breadcrumbs mb={6} aria-label={t('where')} component="nav" separatorMargin={6}>
          {above.map((a) => (
            <Back key={a.to} to={a.to}>
              {a.label}
            </Back>
          ))}
          <Text size="sm" lh="sm" c="dimmed" truncate maw={240}>
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Group gap="sm">
            <Title order={beside ? 2 : 1} tabIndex={-1} style={{ overflowWrap: 'anywhere', outline: 'none' }}>
              {title}
            </Title>
            {badge}
          </Group>
          {lead && !beside && (
            <Text c="dimmed" size="sm" mt={2} maw={720}>
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}

/** The way to a page above; to the list that this one was opened from, as it was left. */
function Back({ to, children }: { to: Href; children: ReactNode }) {
  const list = useContext(OpenedContext);
  const kept = list?.path === to ? { search: list.search, resetScroll: false } : {};
  return (
    <Anchor component={Link} to={to} size="sm" {...kept}>
      {children}
    </Anchor>
  );
}
