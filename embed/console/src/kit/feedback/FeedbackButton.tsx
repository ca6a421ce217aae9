import { ActionIcon, Button } from '@mantine/core';
import { late, useCan } from '@shell';
import { IconMessageReport } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Target } from './labels';

const FeedbackDialog = late(() => import('./FeedbackDialog'));

interface Props {
  target: Target;
  id: string;
  /** What the AI wrote there. */
  text?: string | null;
  /** A small icon beside a message, in the place of a button with words. */
  small?: boolean;
  className?: string;
}

/** Says what was wrong, or good, of what the AI wrote or decided. */
export function FeedbackButton({ target, id, text, small, className }: Props) {
  const { t } = useTranslation('kit');
  const [open, setOpen] = useState(false);
  const can = useCan();
  if (!can('ai') || !can('ai:operate')) return null;
  return (
    <>
      {small ? (
        <ActionIcon
          className={className}
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('feedback.give')}
          onClick={() => setOpen(true)}
        >
          <IconMessageReport size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconMessageReport size={15} aria-hidden />}
          onClick={() => setOpen(true)}
          className={className}
        >
          {t('feedback.give')}
        </Button>
      )}
      {open && (
        <Suspense>
          <FeedbackDialog target={target} id={id} text={text ?? null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
