// Refusals that the person can answer at once, in a dialog over the page.
import { Suspense, useEffect, useState } from 'react';
import { late } from '../api/part';
import { listen, type Question } from '../page/question';
import { TwoFactor } from '../session/TwoFactor';

const Policy = late(() => import('./Policy'));

export function Asked() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => listen(setQuestion), []);
  const close = () => setQuestion(undefined);
  if (question?.code === 'policy_not_accepted')
    return (
      <Suspense>
        <Policy
          onAccepted={() => {
            close();
            question.again?.();
          }}
          onClose={close}
        />
      </Suspense>
    );
  if (question?.code === 'mfa_enrollment_required') return <TwoFactor asked onClose={close} />;
  return null;
}
