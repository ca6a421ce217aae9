import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { Confirm, type Schema, useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, hasContent, type Message } from './message';

type Template = Schema<'ContentShownTemplate'>;

interface Props {
  message: Message;
  onTake: (m: Partial<Message>) => void;
}

/** Whether something stands there that a template would write over: typed, not taken from a template as it is. */
export function wouldLose(m: Message, templates: readonly Pick<Template, 'id' | 'text' | 'attachment_ids'>[]): boolean {
  if (!hasContent(m)) return false;
  const from = templates.find((x) => x.id === m.template_id);
  return !from || from.text !== m.text || from.attachment_ids.join() !== m.attachment_ids.join();
}

/** Takes the text of a template. What was typed is not lost: it asks first, and can be undone. */
export function Templates({ message, onTake }: Props) {
  const { t } = useTranslation(['kit', 'shell']);
  const { data } = useGet('/templates', { query: { limit: 500, sort: 'name' } });
  const [asked, setAsked] = useState<Template>();
  const [before, setBefore] = useState<{ name: string; message: Message }>();
  if (!data || data.data.length === 0) return null;
  const take = (x: Template) => {
    if (hasContent(message)) setBefore({ name: x.name, message });
    setAsked(undefined);
    onTake({ template_id: x.id, text: x.text, format: x.format as Format, attachment_ids: x.attachment_ids });
  };
  const choose = (id: string | null) => {
    const found = data.data.find((x) => x.id === id);
    if (!found) onTake({ template_id: null });
    else if (wouldLose(message, data.data)) setAsked(found);
    else take(found);
  };
  return (
    <Stack gap="xs">
      <Select
        label={t('template')}
        description={t('templateHint')}
        placeholder={t('noTemplate')}
        data={data.data.map((x) => ({ value: x.id, label: x.name }))}
        value={message.template_id ?? null}
        onChange={choose}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
        nothingFoundMessage={t('shell:list.nothing')}
      />
      {before && (
        <Alert color="blue" p="xs" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">{t('replaced', { name: before.name })}</Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                const { text, format, attachment_ids, template_id } = before.message;
                setBefore(undefined);
                onTake({ text, format, attachment_ids, template_id: template_id ?? null });
              }}
            >
              {t('undo')}
            </Button>
          </Group>
        </Alert>
      )}
      {asked && (
        <Confirm
          title={t('replaceTitle', { name: asked.name })}
          consequence={t('replaceText', { name: asked.name })}
          act={t('replace')}
          onClose={() => setAsked(undefined)}
          onConfirm={() => take(asked)}
        />
      )}
    </Stack>
  );
}
