/** Below this a colour is dark: half-way between black and white as the eye sees it. */
const half = 0.18;

/** isDarkColor tells whether a colour of a style is dark; what it cannot read is not. */
export function isDarkColor(color: string): boolean {
  const rgb = channels(color.trim().toLowerCase());
  if (!rgb) return false;
  const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < half;
}

function channels(color: string): [number, number, number] | null {
  const hex = /^#([0-9a-f]{3,8})$/.exec(color)?.[1];
  if (hex) {
    const wide = hex.length < 6 ? [...hex].map((c) => c + c).join('') : hex;
    return [0, 2, 4].map((i) => Number.parseInt(wide.slice(i, i + 2), 16) / 255) as [number, number, number];
  }
  const rgb = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(color);
  if (rgb) return [Number(rgb[1]) / 255, Number(rgb[2]) / 255, Number(rgb[3]) / 255];
  const hsl = /^hsla?\(\s*[\d.]+(?:deg)?[\s,]+[\d.]+%[\s,]+([\d.]+)%/.exec(color);
  if (hsl) return Array(3).fill(Number(hsl[1]) / 100) as [number, number, number];
  return color === 'black' ? [0, 0, 0] : null;
}
