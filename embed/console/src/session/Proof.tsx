import { PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { type ApiError, sentenceOf, useMe } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The body of what wants to know again that it is the person: a code, or the password. */
export type Proved = { code: string } | { password: string };

/** The state of Proof: a code can be given only where two-factor is on. */
export function useProof() {
  const { t } = useTranslation('session');
  const codes = useMe().user?.mfa_enabled ?? false;
  const [by, setBy] = useState<'code' | 'password'>(codes ? 'code' : 'password');
  const [value, setValue] = useState('');
  const [wrong, setWrong] = useState('');
  return {
    codes,
    by,
    value,
    wrong,
    choose(next: string) {
      setBy(next as typeof by);
      setValue('');
      setWrong('');
    },
    put(next: string) {
      setValue(next);
      setWrong('');
    },
    /** Undefined, and a word at the field, when nothing was typed. */
    body(): Proved | undefined {
      if (value.trim() !== '') return by === 'code' ? { code: value.trim() } : { password: value };
      setWrong(t('two.missing'));
      return undefined;
    },
    /** Shows at the field what the API refuses of it; says whether it did. */
    failed(e: ApiError): boolean {
      const here = e.status === 401 || (e.status === 422 && ['password', 'code'].some((f) => e.details?.[f]));
      if (here) setWrong(by === 'code' ? (e.status === 401 ? t('two.wrongCode') : sentenceOf(e).message) : t('password.wrong'));
      return here;
    },
  };
}

/** Proves again that it is the person: with a code of two-factor where it is on, or the password. */
export function Proof({ of: p }: { of: ReturnType<typeof useProof> }) {
  const { t } = useTranslation('session');
  return (
    <>
      {p.codes && (
        <SegmentedControl
          fullWidth
          value={p.by}
          onChange={p.choose}
          data={[
            { value: 'code', label: t('two.byCode') },
            { value: 'password', label: t('two.byPassword') },
          ]}
        />
      )}
      {p.by === 'code' ? (
        <TextInput
          label={t('two.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={11}
          value={p.value}
          onChange={(e) => p.put(e.currentTarget.value)}
          error={p.wrong}
          data-autofocus
        />
      ) : (
        <PasswordInput
          label={t('password.current')}
          autoComplete="current-password"
          value={p.value}
          onChange={(e) => p.put(e.currentTarget.value)}
          error={p.wrong}
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
      )}
    </>
  );
}
