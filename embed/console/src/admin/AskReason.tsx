import { Textarea } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Confirm } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What the API takes as a reason, in characters. */
const longest = 500;

interface Values {
  reason: string;
}

/** The form of AskReason, with what else is asked for. optional: the reason may be left empty. */
export function useReason<V extends object = object>(o: { optional?: boolean; more?: V } = {}): UseFormReturnType<Values & V> {
  const { t } = useTranslation('admin');
  const validate = { reason: (v: string) => (o.optional || v.trim() ? null : t('reason.missing')) };
  return useForm<Values & V>({ initialValues: { reason: '', ...o.more } as Values & V, validate: validate as never });
}

interface Props<V extends Values> {
  title: string;
  consequence: ReactNode;
  act: string;
  danger?: boolean;
  /** May be left empty. */
  optional?: boolean;
  /** Only where nothing brings it back. */
  word?: string;
  pending: boolean;
  form: UseFormReturnType<V>;
  children?: ReactNode;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks before something that the organization will read about, and why it is done. */
export function AskReason<V extends Values>({ optional, form, children, onConfirm, ...rest }: Props<V>) {
  const { t } = useTranslation('admin');
  return (
    <Confirm {...rest} onConfirm={() => void (form.validate().hasErrors || onConfirm(form.getValues().reason.trim()))}>
      <Textarea
        label={t(optional ? 'reason.may' : 'reason.must')}
        description={t('reason.read')}
        maxLength={longest}
        autosize
        minRows={2}
        data-autofocus
        withAsterisk={!optional}
        {...form.getInputProps('reason')}
      />
      {children}
    </Confirm>
  );
}

/** The body of an operation whose reason may be left out. */
export const because = (reason: string): { reason?: string } => (reason ? { reason } : {});
