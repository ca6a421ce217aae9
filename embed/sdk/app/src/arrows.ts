import type { Step } from 'svc-map';
import { draw } from './ui';

/** Degrees to the right of straight ahead. */
const turns: Record<string, number> = {
  '': 0,
  straight: 0,
  slight_right: 40,
  right: 85,
  sharp_right: 135,
  slight_left: -40,
  left: -85,
  sharp_left: -135,
};

/** Manoeuvres that are drawn otherwise than as an arrow that bends. */
const special: Record<string, string> = {
  arrive: 'M7 21V4M7 5h11l-3 3.5 3 3.5H7',
  ferry: 'M4 15l2 4h12l2-4ZM12 15V5M12 6l5 5h-5',
  ferry_exit: 'M4 15l2 4h12l2-4ZM12 12V4M8.5 7.5L12 4l3.5 3.5',
  elevator: 'M6 3h12v18H6ZM12 6.5l3 3.5H9ZM12 17.5l3-3.5H9Z',
  steps: 'M4 19h4v-4h4v-4h4V7h4',
  escalator: 'M3 19h5L17 8h4',
  transit: 'M6 4h12v12H6ZM6 11h12M8.5 19.5L10 16M15.5 19.5L14 16',
  building_enter: 'M12 4h7v16h-7M4 12h10M11 9l3 3-3 3',
  building_exit: 'M12 4H5v16h7M9 12h11M17 9l3 3-3 3',
};

/** arrow draws a manoeuvre. */
export function arrow(step: Pick<Step, 'type' | 'modifier'>, size = 24): SVGSVGElement {
  return draw(path(step.type, step.modifier), size);
}

/** path is the drawing of a manoeuvre in a square of 24. */
export function path(type: string, modifier: string): string {
  const own = special[type];
  if (own) return own;
  if (type === 'uturn') return modifier === 'right' ? uturn(1) : uturn(-1);
  if (type === 'roundabout' || type === 'roundabout_exit') return roundabout;
  const degrees = turns[modifier] ?? 0;
  const gentle = type === 'fork' || type === 'ramp' || type === 'exit' || type === 'merge';
  const bend = gentle ? degrees / 2 : degrees;
  return bentArrow(bend) + (type === 'fork' && bend ? bentStroke(-bend, bend) : '');
}

const roundabout = 'M12 22v-5M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM16 8l3.5-4M15.5 3.8l4.2 0 .2 4.2';

/** uturn goes up on one side and comes down on the other; side is 1 for the right. */
function uturn(side: 1 | -1): string {
  const x = (n: number) => round(12 + side * n);
  const sweep = side === 1 ? 1 : 0;
  return `M${x(-4.5)} 21V9A4.5 4.5 0 0 ${sweep} ${x(4.5)} 9V17M${x(1)} 13.5L${x(4.5)} 17L${x(8)} 13.5`;
}

/** bentArrow comes from below, turns at the middle and ends in a head. */
function bentArrow(degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  // The foot stands aside, so that the whole drawing is in the middle.
  const x = 12 - 4.5 * Math.sin(angle);
  const end = { x: x + 10 * Math.sin(angle), y: 13 - 10 * Math.cos(angle) };
  const head = (side: number) => {
    const a = angle + Math.PI + side * 0.68;
    return `${round(end.x + 6 * Math.sin(a))} ${round(end.y - 6 * Math.cos(a))}`;
  };
  const tip = `${round(end.x)} ${round(end.y)}`;
  const foot = degrees === 0 ? `M${round(x)} 21` : `M${round(x)} 21V13`;
  return `${foot}L${tip}M${head(1)}L${tip}L${head(-1)}`;
}

/** bentStroke is the road that a fork leaves aside. */
function bentStroke(degrees: number, from: number): string {
  const angle = (degrees * Math.PI) / 180;
  const x = 12 - 4.5 * Math.sin((from * Math.PI) / 180);
  return `M${round(x)} 13L${round(x + 7 * Math.sin(angle))} ${round(13 - 7 * Math.cos(angle))}`;
}

const round = (n: number) => Number(n.toFixed(2));
