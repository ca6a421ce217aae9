// The acceptable-use policy, where an operation asks for its acceptance.
import 'virtual:mantine-pages.css';
import { Button, Group, ScrollArea, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import { useGet } from '../api/query';
import { Dialog } from '../page/Dialog';
import { useCan } from '../session/me';

interface Props {
  onAccepted: () => void;
  onClose: () => void;
}

export default function Policy({ onAccepted, onClose }: Props) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const { data } = useGet('/public/policy', {});
  const accept = useAction('post', '/organization/accept-policy', {
    stale: ['/me', '/organization'],
    done: t('policy.accepted'),
    then: onAccepted,
  });
  return (
    <Dialog onClose={onClose} title={t('policy.title')} size="lg">
      <Text size="sm" mb="sm">
        {t('policy.why')}
      </Text>
      <ScrollArea.Autosize mah="50vh" type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('policy.title') }}>
        <Text style={{ whiteSpace: 'pre-wrap' }}>{data?.text}</Text>
      </ScrollArea.Autosize>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('notNow')}
        </Button>
        {data && can('org:manage') && (
          <Button loading={accept.pending} onClick={() => void accept.run({ body: { policy_version: data.version } })}>
            {t('policy.accept', { version: data.version })}
          </Button>
        )}
      </Group>
      {!can('org:manage') && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('policy.askAdmin')}
        </Text>
      )}
    </Dialog>
  );
}
