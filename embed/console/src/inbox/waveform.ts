/** The heights of a voice message, 0 to 31, from 5 bits a sample in base64, the low bits first. */
export function heightsOf(waveform: string | null): number[] {
  if (!waveform) return [];
  let bytes: string;
  try {
    bytes = atob(waveform);
  } catch {
    return [];
  }
  const out: number[] = [];
  for (let i = 0; i < Math.floor((bytes.length * 8) / 5); i++) {
    const bit = i * 5;
    const pair = bytes.charCodeAt(bit >> 3) | ((bytes.charCodeAt((bit >> 3) + 1) || 0) << 8);
    out.push((pair >> (bit & 7)) & 31);
  }
  return out;
}

/** So many heights, each the highest of its part. */
export function bars(heights: readonly number[], count: number): number[] {
  if (heights.length === 0) return Array.from({ length: count }, () => 4);
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * heights.length) / count);
    return Math.max(...heights.slice(from, Math.max(from + 1, Math.floor(((i + 1) * heights.length) / count))));
  });
}

/** "1:05". */
export const lengthOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
