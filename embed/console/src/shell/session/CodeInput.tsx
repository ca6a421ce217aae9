import { PinInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Six digits, as authenticator apps show them. */
export function CodeInput({
  value,
  onChange,
  onComplete,
  wrong,
}: {
  value: string;
  onChange: (v: string) => void;
  onComplete?: (v: string) => void;
  wrong: string;
}) {
  const { t } = useTranslation('shell');
  return (
    <div>
      <PinInput
        length={6}
        type="number"
        oneTimeCode
        autoFocus
        value={value}
        onChange={onChange}
        onComplete={onComplete}
        error={wrong !== ''}
        aria-label={t('signin.code')}
        getInputProps={(i) => ({ 'aria-label': t('signin.digit', { n: i + 1 }) })}
      />
      {wrong && (
        <Text c="var(--mantine-color-error)" size="sm" mt={6} role="alert">
          {wrong}
        </Text>
      )}
    </div>
  );
}
