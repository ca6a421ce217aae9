import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { gate } from '../session/gate';
import { Confirm } from './Confirm';
import { askBefore } from './leave';

/** What of @mantine/form says whether something is typed that is not saved: false after resetDirty. */
interface Form {
  isDirty: () => boolean;
}

/**
 * Asks before a page is left whose form has something that is not saved: within the
 * console in a dialog, and by the browser when the tab is closed or loaded anew. It asks
 * nothing when the session has ended.
 */
export function Unsaved({ form }: { form: Form }) {
  const { t } = useTranslation('shell');
  const [answer, setAnswer] = useState<(leave: boolean) => void>();
  const now = useRef(form);
  now.current = form;
  const leaving = useRef(false); // the answer was yes
  const unsaved = useCallback(() => now.current.isDirty() && !leaving.current && !gate.closed, []);
  const ask = useCallback(async () => {
    if (!unsaved()) return true;
    leaving.current = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(undefined);
    return leaving.current;
  }, [unsaved]);
  useBlocker({
    shouldBlockFn: useCallback(async ({ current, next }) => current.pathname !== next.pathname && !(await ask()), [ask]),
    enableBeforeUnload: unsaved,
  });
  useEffect(() => askBefore(ask), [ask]);
  return (
    answer && (
      <Confirm
        danger
        title={t('unsaved.title')}
        consequence={t('unsaved.text')}
        act={t('unsaved.leave')}
        cancel={t('unsaved.stay')}
        onConfirm={() => answer(true)}
        onClose={() => answer(false)}
      />
    )
  );
}
