// The one way to open something over the page: it comes and goes with its component,
// and leaves the focus where it was.
import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from './focus';

/** The second click of a double click, in ms: what it was aimed at is under the dialog by then. */
const doubleClick = 500;

interface Firm {
  /** It closes by its own buttons only: not by Escape, a click beside it, or a cross. */
  firm?: boolean;
}

export function Dialog({ firm, ...props }: Omit<ModalProps, 'opened'> & Firm) {
  return <Modal opened {...useDialog(firm)} {...props} />;
}

/** A dialog at the right edge: the page stays in sight. */
export function SideDialog(props: Omit<DrawerProps, 'opened'>) {
  return <Drawer opened position="right" {...useDialog()} {...props} />;
}

function useDialog(firm = false) {
  const { t } = useTranslation('shell');
  const [settled, setSettled] = useState(false);
  useTimeout(() => setSettled(true), doubleClick, { autoInvoke: true });
  useFocusBack();
  return {
    closeButtonProps: { 'aria-label': t('close') },
    withCloseButton: !firm,
    closeOnEscape: !firm,
    closeOnClickOutside: settled && !firm,
  };
}
