import { Button, Group, Popover, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useCan, useFormat, useGet } from '@shell';
import { IconVariable } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { optOut, ownFields, written } from './message';

interface Variable {
  name: string;
  label: string;
  /** A value that somebody has, and how many have one. */
  sample?: string;
  count?: number;
}

/** The variables that a text may have: fields of everybody, and what people carry, with a value that one of them has. */
export function useVariables(): Variable[] {
  const { t } = useTranslation('kit');
  const can = useCan();
  const { data } = useGet('/recipients/attributes', {}, { enabled: can('recipients:read') });
  return [
    ...ownFields.map((name) => ({ name, label: t(`variables.${name}`) })),
    ...(data?.data ?? []).map((a) => ({ name: a.key, label: a.key, sample: valueOf(a.sample), count: a.count })),
  ];
}

function valueOf(sample: unknown): string | undefined {
  return sample === null || sample === undefined || sample === '' ? undefined : String(sample);
}

/** A variable to put where the cursor is, with what stands in for who has no value. */
export function Variables({ text, needsOptOut, onPut }: { text: string; needsOptOut: boolean; onPut: (what: string) => void }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const variables = useVariables();
  const [open, setOpen] = useState(false);
  const [fallback, setFallback] = useState('');
  const put = (what: string) => {
    setOpen(false);
    setFallback('');
    onPut(what);
  };
  const missing = needsOptOut && !text.includes(`{{${optOut}}}`);
  return (
    <>
      <Popover opened={open} onChange={setOpen} trapFocus returnFocus withinPortal width={300} position="bottom-start">
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconVariable size={15} aria-hidden />}
            onClick={() => setOpen(!open)}
            aria-expanded={open}
            aria-haspopup="dialog"
          >
            {t('variable')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs" aria-label={t('variable')}>
          <Stack gap="xs">
            <TextInput
              size="sm"
              label={t('fallback')}
              description={t('fallbackHint')}
              placeholder={t('fallbackSample')}
              value={fallback}
              maxLength={100}
              onChange={(e) => setFallback(e.currentTarget.value)}
              data-autofocus
            />
            <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('variable') }}>
              {variables.map((v) => (
                <UnstyledButton key={v.name} display="block" w="100%" px="xs" py={6} onClick={() => put(written(v.name, fallback))}>
                  <Text size="sm">{v.label}</Text>
                  {v.count !== undefined && (
                    <Text size="xs" c="dimmed" truncate>
                      {v.sample
                        ? t('sample', { value: v.sample, number: f.number(v.count) })
                        : t('sampleless', { number: f.number(v.count) })}
                    </Text>
                  )}
                </UnstyledButton>
              ))}
            </ScrollArea.Autosize>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <Group gap={6}>
        <Button size="compact-sm" variant={missing ? 'filled' : 'default'} onClick={() => put(written(optOut))}>
          {t('variables.opt_out_url')}
        </Button>
        {missing && (
          <Text size="xs" c="dimmed">
            {t('optOutWhy')}
          </Text>
        )}
      </Group>
    </>
  );
}
