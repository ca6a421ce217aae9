// Questions before what reaches far. They name the consequence and how many people it
// touches; what cannot be undone wants a word typed.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './Dialog';

interface Props {
  title: string;
  /** What will happen, to how many. */
  consequence: ReactNode;
  /** The verb on the button, never "OK". */
  act: string;
  /** On the other button; "Cancel" when not given. */
  cancel?: string;
  /** Only where nothing brings it back: this word must be typed. */
  word?: string;
  danger?: boolean;
  pending?: boolean;
  /** More to say, such as a field. */
  children?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, consequence, act, cancel, word, danger, pending, children, onConfirm, onClose }: Props) {
  const { t } = useTranslation('shell');
  const [typed, setTyped] = useState('');
  const ready = !word || typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase();
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          e.stopPropagation();
          if (ready) onConfirm();
        }}
      >
        <Stack>
          <Text component="div">{consequence}</Text>
          {children}
          {word && (
            <TextInput
              label={t('typeWord', { word })}
              value={typed}
              onChange={(e) => setTyped(e.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={word ? undefined : true}>
              {cancel ?? t('cancel')}
            </Button>
            <Button type="submit" color={danger ? 'red.8' : undefined} loading={pending} disabled={!ready}>
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
