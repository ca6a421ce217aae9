import { Alert, Group, Paper, Progress, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { call, Failed, type ApiError, useCan, useFormat, useGet } from '@shell';
import { IconFile } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, personName } from '../model';
import { MessageText } from './MessageText';

/** The message as one person of the audience reads it. */
export function Preview({ campaign: c, message }: { campaign: Campaign; message: Campaign['message'] }) {
  const { t } = useTranslation('campaign');
  const [person, setPerson] = useState<string | null>(null);
  const written = message.text.trim() !== '' || message.attachment_ids.length > 0;
  const { data, error, refetch } = useQuery({
    queryKey: ['/messages/preview', message, person],
    queryFn: ({ signal }) => call('post', '/messages/preview', { body: { message, ...(person ? { recipient_id: person } : {}) }, signal }),
    placeholderData: keepPreviousData,
    enabled: written, // the API refuses a message that is empty
  });
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('preview.title')}
      </Title>
      <Stack gap="sm">
        <Persons campaign={c} value={person} onChange={setPerson} />
        {!written && (
          <Text size="sm" c="dimmed">
            {t('preview.empty')}
          </Text>
        )}
        {written && error && <Failed error={error as ApiError} onAgain={() => void refetch()} />}
        {written && !data && !error && <Skeleton h={120} />}
        {written && data && !error && (
          <>
            <Paper bg="var(--mantine-primary-color-light)" p="sm" withBorder={false} mih={60}>
              {data.attachments.map((a) => (
                <div key={a.id}>
                  {a.kind === 'PHOTO' ? (
                    <img
                      src={`/api/v1/attachments/${a.id}/content`}
                      alt={a.file_name}
                      style={{ maxWidth: '100%', maxHeight: 220, borderRadius: 6 }}
                    />
                  ) : (
                    <Group gap={6}>
                      <IconFile size={16} aria-hidden />
                      <Text size="sm">{a.file_name}</Text>
                    </Group>
                  )}
                </div>
              ))}
              {data.text ? (
                <MessageText text={data.text} entities={data.entities} />
              ) : (
                <Text size="sm" c="dimmed">
                  {t('preview.empty')}
                </Text>
              )}
            </Paper>
            <Length length={data.length} most={data.max_length} />
            {data.unknown_variables.length > 0 && (
              <Alert color="red">{t('preview.unknown', { names: data.unknown_variables.join(', ') })}</Alert>
            )}
            {person && data.missing_variables.length > 0 && (
              <Alert color="yellow">{t('preview.missing', { names: data.missing_variables.join(', ') })}</Alert>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Length({ length, most }: { length: number; most: number }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const label = t('preview.length', { length: f.number(length), most: f.number(most) });
  return (
    <Stack gap={3}>
      <Progress
        size="sm"
        value={Math.min(100, (length / most) * 100)}
        color={length > most ? 'red' : length > most * 0.9 ? 'yellow.7' : undefined}
        aria-label={label}
      />
      <Text size="xs" c={length > most ? 'var(--mantine-color-error)' : 'dimmed'}>
        {label}
      </Text>
    </Stack>
  );
}

interface PersonsProps {
  campaign: Campaign;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Somebody of the audience, or anybody who is searched for. */
function Persons({ campaign: c, value, onChange }: PersonsProps) {
  const { t } = useTranslation(['campaign', 'shell']);
  const can = useCan();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim().replace(/^@/, ''), 250);
  const { data: audience } = useGet('/campaigns/{id}/audience-preview', { path: { id: c.id } });
  const { data: found } = useGet(
    '/recipients',
    { query: q.length > 1 ? { q, limit: 20 } : { limit: 20 } },
    { keep: true, enabled: can('recipients:read') },
  );
  const people = new Map([...(audience?.sample ?? []), ...(found?.data ?? [])].map((r) => [r.id, personName(r)]));
  if (people.size === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('preview.nobody')}
      </Text>
    );
  return (
    <Select
      label={t('preview.person')}
      placeholder={t('preview.anybody')}
      data={[...people].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      searchable
      onSearchChange={setTyped}
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
      nothingFoundMessage={t('shell:palette.nothing')}
    />
  );
}
