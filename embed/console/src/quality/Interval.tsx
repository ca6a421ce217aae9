import { Box } from '@mantine/core';
import { useFormat } from '@shell';

const wide = 400;
const high = 26;

/** A share with its interval, on a line from 0 to 100 percent. */
export function Interval({ value, interval, label }: { value: number | null; interval: readonly number[] | null; label: string }) {
  const f = useFormat();
  const percent = (x: number) => new Intl.NumberFormat(f.locale, { style: 'percent', maximumFractionDigits: 1 }).format(x);
  const [low = 0, up = 0] = interval ?? [];
  const shown = value !== null && interval !== null && interval.length === 2;
  return (
    <Box mt="xs" maw={wide}>
      <svg
        viewBox={`0 0 ${wide} ${high}`}
        width="100%"
        role="img"
        aria-label={shown ? `${label}: ${percent(low)} – ${percent(up)}` : `${label}: –`}
        data-interval={shown ? `${low} ${up}` : ''}
      >
        <line x1={0} x2={wide} y1={high / 2} y2={high / 2} stroke="var(--mantine-color-default-border)" strokeWidth={2} />
        {shown && (
          <>
            <rect
              x={low * wide}
              y={high / 2 - 5}
              width={Math.max(2, (up - low) * wide)}
              height={10}
              rx={5}
              fill="var(--mantine-primary-color-light)"
              stroke="var(--mantine-primary-color-filled)"
            />
            <circle cx={value * wide} cy={high / 2} r={6} fill="var(--mantine-primary-color-filled)" />
          </>
        )}
      </svg>
    </Box>
  );
}
