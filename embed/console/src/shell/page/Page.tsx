import { Anchor, Box, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  title: string;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The pages above this one, the top first. */
  above?: readonly { label: string; to: string }[];
  /** Beside the title: what the thing is now. */
  badge?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: where it is, what it is, what can be done, and its content. */
export function Page({ title, lead, above = [], badge, actions, children }: Props) {
  const { t } = useTranslation('shell');
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <Box p={{ base: 'sm', sm: 'lg' }} maw={1400}>
      {above.length > 0 && (
        <Breadcrumbs mb={6} aria-label={t('where')} component="nav" separatorMargin={6}>
          {above.map((a) => (
            <Anchor key={a.to} component={Link} to={a.to} size="sm">
              {a.label}
            </Anchor>
          ))}
          <Text size="sm" lh="sm" c="dimmed" truncate maw={240}>
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Group gap="sm">
            <Title order={1} tabIndex={-1} style={{ overflowWrap: 'anywhere', outline: 'none' }}>
              {title}
            </Title>
            {badge}
          </Group>
          {lead && (
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
