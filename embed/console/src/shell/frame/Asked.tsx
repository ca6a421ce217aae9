// Refusals that the person can answer at once, in a dialog over the page.
import { Suspense, useEffect, useState } from 'react';
import { late } from '../api/part';
import type { ApiError } from '../api/error';

const Policy = late(() => import('./Policy'));
const TwoFactor = late(() => import('../session/TwoFactor'));

interface Question {
  code: 'policy_not_accepted' | 'mfa_enrollment_required';
  /** Does again what was refused. */
  again?: () => void;
}
let ask: ((q: Question) => void) | undefined;

/** Opens the dialog that a refusal asks for; what was refused goes on after a yes. It says false when there is none. */
export function answerInDialog(error: ApiError, again?: () => void): boolean {
  if (error.code !== 'policy_not_accepted' && error.code !== 'mfa_enrollment_required') return false;
  ask?.({ code: error.code, again });
  return ask !== undefined;
}

export function Asked() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    ask = setQuestion;
    return () => {
      ask = undefined;
    };
  }, []);
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
  if (question?.code === 'mfa_enrollment_required')
    return (
      <Suspense>
        <TwoFactor asked onClose={close} />
      </Suspense>
    );
  return null;
}
