// Calm, dense enough for a whole day, and the contrasts of WCAG AA in both schemes.
import {
  type ActionIconProps,
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type InputWrapperProps,
  type MantineColorsTuple,
  type ModalProps,
  type PaperProps,
  type SelectProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';

/** A quiet sea green: white on [6] has more than 6:1 in both schemes. */
const sea: MantineColorsTuple = [
  '#e9f6f2',
  '#d5e9e2',
  '#abd3c6',
  '#7dbba8',
  '#57a78f',
  '#3d9980',
  '#1d6b57',
  '#185c4a',
  '#114c3d',
  '#073c2f',
];

const later = <P>(defaultProps: Partial<P>) => ({ defaultProps });

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 6, dark: 6 },
  autoContrast: true,
  colors: { sea },
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontFamily: 'inherit',
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1.05rem' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: later<ButtonProps>({ size: 'sm' }),
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } } },
    ActionIcon: later<ActionIconProps>({ variant: 'subtle' }),
    Paper: later<PaperProps>({ withBorder: true, p: 'md' }),
    // What the frame does not use is not imported here: it would come with the first load.
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    Badge: later<BadgeProps>({ variant: 'light', radius: 'sm', tt: 'none', fw: 550 }),
    Table: later<TableProps>({ verticalSpacing: 'xs', highlightOnHover: true }),
    Modal: {
      ...later<ModalProps>({ centered: true, overlayProps: { backgroundOpacity: 0.45 } }),
      styles: { title: { fontSize: '1.05rem', fontWeight: 650 } },
    },
    // A card among cards: its legend stands inside, as the titles of the others do.
    Fieldset: {
      styles: {
        root: { margin: 0, padding: 'var(--mantine-spacing-md)', background: 'var(--mantine-color-body)' },
        legend: {
          float: 'left',
          width: '100%',
          padding: 0,
          marginBottom: 'var(--mantine-spacing-sm)',
          fontSize: '1.15rem',
          fontWeight: 650,
          lineHeight: 1.35,
        },
      },
    },
    // One column of labels, however long some are.
    DataList: { styles: { itemLabel: { width: 'var(--data-list-label-width)', flexShrink: 0, overflowWrap: 'break-word' } } },
    Select: later<SelectProps>({ comboboxProps: { shadow: 'md' } }),
    Tooltip: later<TooltipProps>({ openDelay: 300, withArrow: true }),
    InputWrapper: later<InputWrapperProps>({ inputWrapperOrder: ['label', 'description', 'input', 'error'] }),
  },
});

/** Mantine's grey for secondary text and its red for mistakes are too pale for AA; ours are not. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56605c',
    '--mantine-color-placeholder': '#69736f',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#1d6b57',
    '--svc-canvas': '#f5f7f6',
  },
  dark: {
    '--mantine-color-body': '#171b1a',
    '--mantine-color-dimmed': '#a5afab',
    '--mantine-color-placeholder': '#8e9995',
    '--mantine-color-error': '#ff9c92',
    '--mantine-color-anchor': '#7dbba8',
    '--svc-canvas': '#101413',
  },
});
