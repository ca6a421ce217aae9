import { Box, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { diff } from './diff';

const looks = {
  gone: { background: 'light-dark(var(--mantine-color-red-1), var(--mantine-color-red-9))', textDecoration: 'line-through' },
  new: { background: 'light-dark(var(--mantine-color-green-1), var(--mantine-color-green-9))', textDecoration: 'none' },
} as const;

/** What went and what came between two texts. Equal texts are shown as they are. */
export function Diff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('engine');
  const parts = useMemo(() => {
    let at = 0;
    return diff(before, after).map((p) => ({ ...p, at: at++ }));
  }, [before, after]);
  const changed = parts.some((p) => p.kind !== 'same');
  return (
    <>
      {changed && (
        <Group gap="md" mb={6}>
          <Text size="xs">
            <del style={looks.gone}>{t('diff.gone')}</del>
          </Text>
          <Text size="xs">
            <ins style={looks.new}>{t('diff.new')}</ins>
          </Text>
        </Group>
      )}
      <Box
        data-diff={changed ? 'changed' : 'same'}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 'var(--mantine-font-size-sm)', lineHeight: 1.55 }}
      >
        {parts.map((p) =>
          p.kind === 'gone' ? (
            <del key={p.at} style={looks.gone}>
              {p.text}
            </del>
          ) : p.kind === 'new' ? (
            <ins key={p.at} style={looks.new}>
              {p.text}
            </ins>
          ) : (
            <span key={p.at}>{p.text}</span>
          ),
        )}
      </Box>
    </>
  );
}
