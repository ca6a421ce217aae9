// A picture of the navigation that comes in a file of its own.
import type { IconProps } from '@tabler/icons-react';
import { type ComponentType, Suspense } from 'react';
import { late } from '../api/part';

/** A picture that is fetched when it is first drawn; its place is kept empty until then. */
export function lateIcon(load: () => Promise<{ default: ComponentType<IconProps> }>): ComponentType<IconProps> {
  const Drawn = late(load);
  return function LateIcon(props) {
    return (
      <Suspense fallback={<svg width={props.size} height={props.size} aria-hidden />}>
        <Drawn {...props} />
      </Suspense>
    );
  };
}
