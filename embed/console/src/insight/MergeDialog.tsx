import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { Dialog, useAction } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Case, nameOf } from './types';

/** Makes a case count as another one of its dimension. */
export function MergeDialog({ of: k, among, onClose }: { of: Case; among: readonly Case[]; onClose: () => void }) {
  const { t, i18n } = useTranslation(['insight', 'shell']);
  const [into, setInto] = useState<string | null>(null);
  const others = among.filter((x) => x.dimension === k.dimension && x.id !== k.id && !x.merged_into);
  const merge = useAction('patch', '/ai/cases/{id}', {
    stale: ['/ai/businesses/{id}/cases', '/ai/insights/boards'],
    done: t('case.mergeDone'),
    then: onClose,
  });
  return (
    <Dialog onClose={onClose} title={t('case.mergeTitle', { name: nameOf(k, i18n.language) })}>
      <Stack>
        <Text size="sm">{t('case.mergeLead')}</Text>
        <Select
          label={t('case.mergeInto')}
          data={others.map((x) => ({ value: x.id, label: nameOf(x, i18n.language) }))}
          value={into}
          onChange={setInto}
          nothingFoundMessage={t('case.none')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            disabled={!into}
            loading={merge.pending}
            onClick={() => into && void merge.run({ path: { id: k.id }, body: { merge_into: into } })}
          >
            {t('case.merge')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
