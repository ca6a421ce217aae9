import { Paper, TextInput } from '@mantine/core';
import { Composer, type Message as Written } from '@kit';
import { useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, mayChange } from '../model';
import type { StepProps } from './draft';

/** What is written: a template or a text, with variables, and how one person reads it. */
export function Message({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation('campaign');
  const [name, setName] = useState(c.name);
  const [message, setMessage] = useState<Campaign['message']>(c.message);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: audience } = useGet('/campaigns/{id}/audience-preview', { path: { id: c.id } });
  const change = (m: Partial<Written>) => {
    setMessage((before) => ({ ...before, ...m }));
    draft.change({ message: m });
  };
  return (
    <Composer
      message={message}
      onChange={change}
      errors={{
        text: draft.errors['message.text'] ?? draft.errors.message ?? problem,
        attachment_ids: draft.errors['message.attachment_ids'],
      }}
      lock={mayChange(c, 'message') ? undefined : mayChange(c, 'message.text') ? 'text' : 'all'}
      lockedHint={t('field.textLocked')}
      templates
      needsOptOut
      onProblem={setProblem}
      people={audience?.sample}
    >
      <Paper>
        <TextInput
          label={t('field.name')}
          value={name}
          maxLength={120}
          error={draft.errors.name ?? (!name.trim() && t('new.nameMissing'))}
          onChange={(e) => {
            setName(e.currentTarget.value);
            if (e.currentTarget.value.trim()) draft.change({ name: e.currentTarget.value.trim() });
          }}
        />
      </Paper>
    </Composer>
  );
}
