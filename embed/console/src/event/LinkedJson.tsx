import { Anchor, Code } from '@mantine/core';
import { Link, usePageOf } from '@shell';
import { Fragment } from 'react';

/** An event as it came; the ids in it lead to their pages. */
export function LinkedJson({ value }: { value: unknown }) {
  const pageOf = usePageOf();
  const pieces = JSON.stringify(value, null, 2).split(/("[a-z]{3}_[0-9a-z]{26}")/);
  return (
    <Code block tabIndex={0} mah={460} style={{ overflow: 'auto' }}>
      {pieces.map((piece, i) => {
        const to = i % 2 === 1 ? pageOf(piece.slice(1, -1)) : undefined;
        return (
          <Fragment key={i}>
            {to ? (
              <>
                &quot;
                <Anchor component={Link} to={to} inherit underline="always">
                  {piece.slice(1, -1)}
                </Anchor>
                &quot;
              </>
            ) : (
              piece
            )}
          </Fragment>
        );
      })}
    </Code>
  );
}
