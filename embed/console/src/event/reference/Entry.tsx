import { ActionIcon, Badge, Box, Button, Code, Collapse, CopyButton, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconCheck, IconChevronDown, IconCopy } from '@tabler/icons-react';
import { ApiError, sentenceOf } from '@shell';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { curlOf } from './curl';
import { answerOf, bodyOf, type Document, errorsOf, type Operation } from './document';
import { Fields, fieldsOf } from './Fields';

/** One operation, whole: who may call it, what goes in, what comes back, what can go wrong. */
export function Entry({ document: d, operation: o, base }: { document: Document; operation: Operation; base: string }) {
  const { t } = useTranslation('event');
  const parameters = (o.parameters ?? []).map((p) => ({
    name: p.name,
    where: t(`reference.in.${p.in}`),
    schema: p.schema ?? {},
    required: p.required ?? false,
    description: p.description,
  }));
  const body = bodyOf(o);
  const bodyFields = body?.media.schema ? fieldsOf(d, body.media.schema) : [];
  const answer = answerOf(o);
  const answerFields = answer.media?.schema ? fieldsOf(d, answer.media.schema) : [];
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Text size="sm">{t('reference.needs')}</Text>
        <Badge c="var(--mantine-color-text)">{t(`reference.permission.${special(o.permission)}`, { permission: o.permission })}</Badge>
        <Code fz="xs">{o.operationId}</Code>
      </Group>
      <Request code={curlOf(o, base)} />
      {parameters.length > 0 && (
        <Part title={t('reference.parameters')}>
          <Fields document={d} label={t('reference.parameters')} fields={parameters} />
        </Part>
      )}
      {body && (
        <Part title={t('reference.body', { type: body.type })}>
          {bodyFields.length > 0 && <Fields document={d} label={t('reference.body', { type: body.type })} fields={bodyFields} />}
        </Part>
      )}
      <Part title={t('reference.answer', { status: answer.status, type: answer.type ?? '' })}>
        {answerFields.length > 0 ? (
          <Fields document={d} label={t('reference.answer', { status: answer.status, type: answer.type ?? '' })} fields={answerFields} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('reference.nothing')}
          </Text>
        )}
        {answer.media?.example !== undefined && answer.type === 'application/json' && (
          <Code block mah={260} tabIndex={0} style={{ overflow: 'auto' }}>
            {JSON.stringify(answer.media.example, null, 2)}
          </Code>
        )}
      </Part>
      <Part title={t('reference.errors')}>
        <Errors document={d} operation={o} />
      </Part>
    </Stack>
  );
}

const special = (permission: string): string =>
  ({ public: 'public', 'signed-in': 'signedIn', 'platform-administrator': 'platform' })[permission] ?? 'named';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={4} fz="sm" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Request({ code }: { code: string }) {
  const { t } = useTranslation('event');
  return (
    <Box pos="relative">
      <Code block tabIndex={0} pr={44} style={{ overflow: 'auto' }} data-curl>
        {code}
      </Code>
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={t(copied ? 'reference.copied' : 'reference.copy')}>
            <ActionIcon
              pos="absolute"
              top={6}
              right={6}
              variant="default"
              onClick={copy}
              aria-label={t(copied ? 'reference.copied' : 'reference.copy')}
            >
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}

/** The codes of its own in words; those that nearly every operation can answer are folded away, with the statuses. */
function Errors({ document: d, operation: o }: { document: Document; operation: Operation }) {
  const { t } = useTranslation('event');
  const [all, setAll] = useState(false);
  const { own, shared } = useMemo(() => errorsOf(d, o), [d, o]);
  const statuses = Object.entries(o.responses).filter(([s]) => Number(s) >= 400);
  return (
    <Stack gap={4} align="flex-start">
      {own.map((code) => (
        <Problem key={code} code={code} />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        px={4}
        ms={-4}
        aria-expanded={all}
        onClick={() => setAll(!all)}
        rightSection={<IconChevronDown size={14} aria-hidden />}
      >
        {t(own.length > 0 ? 'reference.alsoShared' : 'reference.onlyShared', { count: shared.length })}
      </Button>
      <Collapse expanded={all}>
        <Stack gap={4}>
          {shared.map((code) => (
            <Problem key={code} code={code} />
          ))}
          <Text size="sm" c="dimmed">
            {statuses.map(([s, r]) => `${s} ${r.description ?? ''}`).join(' · ')}
          </Text>
        </Stack>
      </Collapse>
    </Stack>
  );
}

function Problem({ code }: { code: string }) {
  return (
    <Text size="sm">
      <Code>{code}</Code> {sentenceOf(new ApiError({ code, message: '' })).message}
    </Text>
  );
}
