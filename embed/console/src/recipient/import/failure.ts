import { ApiError, asApiError, showProblem } from '@shell';
import i18next from 'i18next';

/** Refusals of imports that have words of their own. */
const words: Record<string, string> = {
  conflict: 'import.busy',
  file_too_large: 'import.tooLarge',
  plan_limit_reached: 'import.planLimit',
};

/** Says why an import was refused, in the language of the person. */
export function showFailure(thrown: unknown): void {
  const e = asApiError(thrown);
  const key = words[e.code];
  showProblem(
    key
      ? new ApiError({
          ...e,
          message: i18next.t(key as never, { ns: 'recipient' }),
          code: `import_${e.code}`,
          status: e.status,
          requestId: e.requestId,
        })
      : e,
  );
}
