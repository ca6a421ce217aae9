import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code as one path of an image that screen readers can name. Always dark on light: cameras want it. */
export function Qr({ text, label, size = 200 }: { text: string; label: string; size?: number }) {
  const { path, side } = useMemo(() => {
    const { data, size: n } = encode(text, { border: 2 });
    const squares = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: squares.join(''), side: n };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      style={{ alignSelf: 'center' }}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
