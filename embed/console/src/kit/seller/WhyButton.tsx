import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { late, SideDialog, useCan } from '@shell';
import { IconHelpCircle } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Fetched when somebody asks. */
const Why = late(() => import('./Why'));

/** Asks why the AI did what it did in an execution; the answer is at the side. words: it says so, and is no picture alone. */
export function WhyButton({ execution, words, className }: { execution: string; words?: boolean; className?: string }) {
  const { t } = useTranslation('kit');
  const [open, setOpen] = useState(false);
  const ask = () => setOpen(true);
  if (!useCan()('ai')) return null;
  return (
    <>
      {words ? (
        <Button size="compact-sm" variant="default" leftSection={<IconHelpCircle size={14} aria-hidden />} onClick={ask}>
          {t('why.draft')}
        </Button>
      ) : (
        <ActionIcon className={className} size="sm" onClick={ask} aria-label={t('why.title')}>
          <IconHelpCircle size={16} aria-hidden />
        </ActionIcon>
      )}
      {open && (
        <SideDialog title={t('why.title')} size="lg" onClose={() => setOpen(false)}>
          <Suspense fallback={<Skeleton h={320} />}>
            <Why execution={execution} />
          </Suspense>
        </SideDialog>
      )}
    </>
  );
}
