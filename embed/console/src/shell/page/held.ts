import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';

type FormOf<V> = Pick<UseFormReturnType<V>, 'getValues' | 'isDirty' | 'resetDirty' | 'setInitialValues' | 'setValues'>;

/**
 * The form follows what the service holds when that is read again: after a save, or a change by somebody else. A field
 * that was changed since it was last saved keeps what was typed.
 */
export function useHeld<V extends object>(form: FormOf<V>, held: V): void {
  const text = JSON.stringify(held);
  const last = useRef(text);
  const now = useRef({ form, held });
  now.current = { form, held };
  useEffect(() => {
    if (text === last.current) return;
    last.current = text;
    const { form, held } = now.current;
    const typed = Object.entries(form.getValues()).filter(([field]) => form.isDirty(field));
    form.setInitialValues(held);
    form.resetDirty(held);
    form.setValues({ ...held, ...Object.fromEntries(typed) } as V);
  }, [text]);
}
