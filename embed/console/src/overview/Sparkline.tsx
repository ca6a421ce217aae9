interface Props {
  values: readonly number[];
  label: string;
}

const height = 28;
const gap = 2;

/** A row of small bars: a library of charts would not be worth its weight here. */
export function Sparkline({ values, label }: Props) {
  const most = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      style={{ display: 'block' }}
    >
      {values.map((v, i) => {
        const h = v === 0 ? 1 : Math.max(2, (v / most) * height);
        return (
          <rect
            key={i}
            x={i * step}
            width={step - gap}
            y={height - h}
            height={h}
            fill={v === 0 ? 'var(--mantine-color-default-border)' : 'var(--mantine-primary-color-filled)'}
          />
        );
      })}
    </svg>
  );
}
