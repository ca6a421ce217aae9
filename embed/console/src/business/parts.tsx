// Small parts of the pages about the seller.
import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What is wrong with fields that have no place of their own on the page. */
export function Wrong({ errors, shown }: { errors: Readonly<Record<string, ReactNode>>; shown: (field: string) => boolean }) {
  const rest = Object.entries(errors).filter(([field, what]) => what && !shown(field));
  if (rest.length === 0) return null;
  return (
    <Alert color="red" role="alert">
      {rest.map(([field, what]) => (
        <Text key={field} size="sm">
          {what}
        </Text>
      ))}
    </Alert>
  );
}

/** The buttons at the end of a dialog. */
export function Ends({ act, pending, onClose }: { act: string; pending: boolean; onClose: () => void }) {
  const { t } = useTranslation(['business', 'shell']);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t('shell:cancel')}
      </Button>
      <Button type="submit" loading={pending}>
        {act}
      </Button>
    </Group>
  );
}
