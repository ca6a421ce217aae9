import { Textarea } from '@mantine/core';
import { Confirm } from '@shell';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** What the API takes as a reason, in characters. */
const longest = 500;

interface Props {
  title: string;
  consequence: ReactNode;
  act: string;
  danger?: boolean;
  /** May be left empty. */
  optional?: boolean;
  /** Only where nothing brings it back. */
  word?: string;
  pending: boolean;
  /** What the API said is wrong with the reason. */
  error?: string;
  children?: ReactNode;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks before something that the organization will read about, and why it is done. */
export function AskReason({ optional, error, children, onConfirm, ...rest }: Props) {
  const { t } = useTranslation('admin');
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const text = reason.trim();
  const confirm = () => {
    if (!optional && text === '') setMissing(true);
    else onConfirm(text);
  };
  return (
    <Confirm {...rest} onConfirm={confirm}>
      <Textarea
        label={t(optional ? 'reason.may' : 'reason.must')}
        description={t('reason.read')}
        value={reason}
        maxLength={longest}
        autosize
        minRows={2}
        data-autofocus
        withAsterisk={!optional}
        error={(missing && text === '' && t('reason.missing')) || error}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
      {children}
    </Confirm>
  );
}

/** The body of an operation whose reason may be left out. */
export const because = (reason: string): { reason?: string } => (reason ? { reason } : {});
