// Refusals that the person can answer at once. Whoever shows them (frame/Asked.tsx) listens here,
// so that what sends requests needs to know no dialog.
import type { ApiError } from '../api/error';

export interface Question {
  code: 'policy_not_accepted' | 'mfa_enrollment_required';
  /** Does again what was refused. */
  again?: () => void;
}

let ask: ((q: Question) => void) | undefined;

/** Hears what is asked from now on, until the function that it gives is called. */
export function listen(hear: (q: Question) => void): () => void {
  ask = hear;
  return () => {
    ask = undefined;
  };
}

/** Opens the dialog that a refusal asks for; what was refused goes on after a yes. It says false when there is none. */
export function answerInDialog(error: ApiError, again?: () => void): boolean {
  if (error.code !== 'policy_not_accepted' && error.code !== 'mfa_enrollment_required') return false;
  ask?.({ code: error.code, again });
  return ask !== undefined;
}
