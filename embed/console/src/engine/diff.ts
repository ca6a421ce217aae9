// What changed between two texts, word by word: the shortest script of words that went and came (Myers).

export interface Part {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Beyond this many words that differ the texts are shown as replaced: nobody reads such a diff. */
const mostChanges = 600;

/** Words and the space behind them, line ends apart. */
export function words(text: string): string[] {
  return text.match(/\n|[^\S\n]+|[^\s]+/g) ?? [];
}

/** The parts of two texts in their order; neighbours of one kind are one part. */
export function diff(before: string, after: string): Part[] {
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = script(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    ...a.slice(0, start).map((text): Part => ({ kind: 'same', text })),
    ...middle,
    ...a.slice(a.length - end).map((text): Part => ({ kind: 'same', text })),
  ]);
}

function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const p of parts) {
    const last = out[out.length - 1];
    if (last?.kind === p.kind) last.text += p.text;
    else if (p.text) out.push({ ...p });
  }
  return out;
}

const replaced = (a: readonly string[], b: readonly string[]): Part[] => [
  { kind: 'gone', text: a.join('') },
  { kind: 'new', text: b.join('') },
];

/** The shortest script, found from the front: furthest[k] is how far in a the path on diagonal k comes with d changes. */
function script(a: readonly string[], b: readonly string[]): Part[] {
  const most = Math.min(a.length + b.length, mostChanges);
  let furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return back(a, b, trace, d);
    }
    furthest = next;
  }
  return replaced(a, b);
}

/** Walks a script back from its end. */
function back(a: readonly string[], b: readonly string[], trace: readonly Map<number, number>[], last: number): Part[] {
  const out: Part[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = last; d >= 0; d--) {
    const furthest = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const fromX = furthest.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) out.push({ kind: 'same', text: a[(--x, --y, x)]! });
    if (d === 0) break;
    if (down) out.push({ kind: 'new', text: b[--y]! });
    else out.push({ kind: 'gone', text: a[--x]! });
  }
  return out.reverse();
}
