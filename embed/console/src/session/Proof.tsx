import { PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, sentenceOf, useMe } from '@shell';
import { useTranslation } from 'react-i18next';

/** The body of what wants to know again that it is the person: a code, or the password. */
export type Proved = { code: string } | { password: string };

/** The state of Proof: a code can be given only where two-factor is on. */
export function useProof() {
  const { t } = useTranslation('session');
  const codes = useMe().user?.mfa_enabled ?? false;
  const form = useForm({
    initialValues: { by: (codes ? 'code' : 'password') as 'code' | 'password', value: '' },
    validate: { value: (v) => (v.trim() ? null : t('two.missing')) },
  });
  const { by, value } = form.values;
  return {
    codes,
    by,
    field: form.getInputProps('value'),
    choose(next: string) {
      form.setValues({ by: next as typeof by, value: '' });
      form.clearErrors();
    },
    /** Undefined, and a word at the field, when nothing was typed. */
    body(): Proved | undefined {
      if (form.validate().hasErrors) return undefined;
      return by === 'code' ? { code: value.trim() } : { password: value };
    },
    /** Shows at the field what the API refuses of it; says whether it did. */
    failed(e: ApiError): boolean {
      const here = e.status === 401 || (e.status === 422 && ['password', 'code'].some((f) => e.details?.[f]));
      const code = () => (e.status === 401 ? t('two.wrongCode') : sentenceOf(e).message);
      if (here) form.setFieldError('value', by === 'code' ? code() : t('password.wrong'));
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
        <TextInput label={t('two.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={11} data-autofocus {...p.field} />
      ) : (
        <PasswordInput
          label={t('password.current')}
          autoComplete="current-password"
          {...p.field}
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
      )}
    </>
  );
}
