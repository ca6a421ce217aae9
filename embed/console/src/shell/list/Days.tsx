import '@mantine/dates/styles.css';
import { DatePickerInput, DatesProvider } from '@mantine/dates';
import { currentLanguage, dayjsLocale } from '../language/i18n';

interface Props {
  label: string;
  from: string | null;
  to: string | null;
  onChange: (from: string | null, to: string | null) => void;
}

/** A span of days, both inclusive. Loaded with the first list that has one. */
export default function Days({ label, from, to, onChange }: Props) {
  return (
    <DatesProvider settings={{ locale: dayjsLocale(currentLanguage()), firstDayOfWeek: 1 }}>
      <DatePickerInput
        type="range"
        allowSingleDateInRange
        w={{ base: '100%', xs: 210 }}
        valueFormat="D MMM YYYY"
        placeholder={label}
        aria-label={label}
        clearable
        value={[from, to]}
        onChange={([a, b]) => (a === null) === (b === null) && onChange(a, b)}
        key={`${from}${to}`}
      />
    </DatesProvider>
  );
}
