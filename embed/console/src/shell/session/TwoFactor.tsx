// The dialog that turns two-factor on, fetched when it opens: the first page does not need it.
import { Suspense } from 'react';
import { late } from '../api/part';

const TwoFactorDialog = late(() => import('./TwoFactorDialog'));

/** The dialog; asked says that an operation refused without two-factor. */
export function TwoFactor(props: { asked?: boolean; onClose: () => void }) {
  return (
    <Suspense>
      <TwoFactorDialog {...props} />
    </Suspense>
  );
}
