import { Alert, Button, Group, List, Paper, Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { checkWord, reasonWord, WhyButton } from '@kit';
import { type Schema, Tag, useAction, useCan, useFormat } from '@shell';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Business } from './types';

type Run = Schema<'PlaygroundRun'>;
type Said = { author: 'CUSTOMER' | 'AI'; text: string };

const levels = ['0', '1', '2', '3', '4', '5'] as const;

/** A conversation that somebody makes up, and what the seller would do with it. Nothing is sent. */
export default function Try({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:operate');
  const [said, setSaid] = useState<Said[]>([]);
  const [run, setRun] = useState<Run>();
  const form = useForm({ initialValues: { text: '', level: '' } });
  const ask = useAction('post', '/ai/playground/run', {
    then: (answer) => {
      setRun(answer);
      if (answer.reply) setSaid((list) => [...list, { author: 'AI', text: answer.reply ?? '' }]);
    },
  });
  const send = form.onSubmit(({ text, level }) => {
    if (!text.trim()) return;
    const messages: Said[] = [...said, { author: 'CUSTOMER', text: text.trim() }];
    setSaid(messages);
    form.setFieldValue('text', '');
    void ask.run({ body: { business_id: b.id, messages, ...(level ? { autonomy_level: Number(level) } : {}) } } as never);
  });
  const again = () => {
    setSaid([]);
    setRun(undefined);
  };
  if (!may) return <Alert>{t('try.mayNot')}</Alert>;
  return (
    <Stack maw={760}>
      <Text size="sm" c="dimmed">
        {t('try.lead')}
      </Text>
      {said.length > 0 && (
        <Paper component="section" aria-label={t('try.conversation')}>
          <Stack gap="xs">
            {said.map((m, i) => (
              <Paper
                key={i}
                p="xs"
                withBorder
                maw="85%"
                style={{ alignSelf: m.author === 'AI' ? 'flex-end' : 'flex-start', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                data-author={m.author}
              >
                <Text size="xs" c="dimmed">
                  {t(`try.author.${m.author}`)}
                </Text>
                <Text size="sm">{m.text}</Text>
              </Paper>
            ))}
          </Stack>
        </Paper>
      )}
      {run && <Outcome run={run} />}
      <form onSubmit={send}>
        <Stack gap="xs">
          <Textarea
            label={t('try.text')}
            placeholder={t('try.example')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={4096}
            {...form.getInputProps('text')}
          />
          <Group align="flex-end" justify="space-between">
            <Select
              w={260}
              label={t('try.level')}
              placeholder={t('try.ownLevel')}
              clearable
              data={levels.map((value) => ({ value, label: t('try.levelN', { level: value }) }))}
              {...form.getInputProps('level')}
            />
            <Group gap="xs">
              {said.length > 0 && (
                <Button variant="default" onClick={again}>
                  {t('try.again')}
                </Button>
              )}
              <Button type="submit" loading={ask.pending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
                {t('try.act')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** What would happen, and why. */
function Outcome({ run }: { run: Run }) {
  const { t } = useTranslation('business');
  const format = useFormat();
  const refused = run.validators.filter((v) => !v.passed);
  return (
    <Paper component="section" role="status" data-action={run.final_action}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text fw={600}>{t(`try.action.${run.final_action}`)}</Text>
          {run.demo && <Tag>{t('try.demo')}</Tag>}
        </Group>
        {run.handoff && <Text size="sm">{reasonWord(run.handoff.reason)}</Text>}
        {refused.length > 0 && (
          <List size="sm">
            {refused.map((v) => (
              <List.Item key={v.code}>
                {checkWord(v.code)}
                {v.detail && `: ${v.detail}`}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm" c="dimmed">
          {t('try.numbers', {
            knowledge: run.knowledge.length,
            tokens: format.number(run.tokens_in + run.tokens_out),
            cost: format.number(run.cost_usd),
          })}
        </Text>
        <Group>
          <WhyButton execution={run.execution_id} words />
        </Group>
      </Stack>
    </Paper>
  );
}
