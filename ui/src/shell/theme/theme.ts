/** The look of the office: warm paper, ink, pine for what can be done, dawn for what is happening now. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const pine: MantineColorsTuple = [
  '#eef6f3',
  '#dbebe5',
  '#b5d6cb',
  '#8cc0b0',
  '#66ab98',
  '#459783',
  '#2c8270',
  '#1d6c5d',
  '#14594d',
  '#0c443b',
];

const dawn: MantineColorsTuple = [
  '#fff5e9',
  '#ffe8cf',
  '#fbcf9f',
  '#f5b36b',
  '#ee9a41',
  '#e28324',
  '#c96d13',
  '#a6560b',
  '#874507',
  '#663305',
];

/** Stone: greys with a little of the paper in them. */
const gray: MantineColorsTuple = [
  '#faf9f6',
  '#f4f2ed',
  '#ebe8e1',
  '#dedad1',
  '#c8c3b8',
  '#a39d92',
  '#7c766c',
  '#5b564e',
  '#3a3732',
  '#201e1b',
];

const dark: MantineColorsTuple = [
  '#e6e3dd',
  '#bcb8b0',
  '#9a968e',
  '#68655f',
  '#45433f',
  '#383633',
  '#2a2927',
  '#1e1d1c',
  '#171716',
  '#0f0f0e',
];

const SANS =
  "'Hanken Grotesk Variable', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', system-ui, sans-serif";
const MONO =
  "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, 'Cascadia Code', Consolas, 'DejaVu Sans Mono', monospace";

/** A notice is a wash of its colour, not a block of it. */
const alertColours = (_theme: unknown, { color = '' }: { color?: string }) => ({
  root:
    color === 'dawn' || color === 'red'
      ? { '--alert-bg': `var(--${color}-wash)`, '--alert-color': `var(--${color}-ink)` }
      : {},
});

export const theme = createTheme({
  primaryColor: 'pine',
  colors: { pine, dawn, gray, dark },
  autoContrast: true,
  // Where white and black are equally readable.
  luminanceThreshold: 0.18,
  primaryShade: { light: 8, dark: 8 },
  white: '#fffefc',
  black: '#211f1b',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.84375rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.55', lg: '1.55', xl: '1.4' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  headings: {
    fontFamily: SANS,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  shadows: {
    xs: '0 1px 2px rgb(40 34 20 / 6%)',
    sm: '0 1px 2px rgb(40 34 20 / 6%), 0 2px 6px rgb(40 34 20 / 5%)',
    md: '0 2px 4px rgb(40 34 20 / 5%), 0 8px 24px rgb(40 34 20 / 9%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects: `Modal.extend` would bring every dialog into the first load.
  components: {
    Badge: { defaultProps: { autoContrast: true, radius: 'sm' } },
    Alert: { vars: alertColours },
    // The placeholder is an element that a menu may not have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The bar of a dialog is no second banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
  },
});

/** Colours that pass WCAG AA on both papers. */
export const cssVariables: CSSVariablesResolver = (t) => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fdfcfa',
    '--mantine-color-text': t.black,
    '--mantine-color-dimmed': t.colors.gray?.[7] ?? '',
    '--mantine-color-placeholder': t.colors.gray?.[7] ?? '',
    '--mantine-color-anchor': pine[8],
    '--paper': '#fdfcfa',
    '--paper-raised': '#fffefc',
    '--paper-sunk': '#f6f4ef',
    '--line': '#e8e4db',
    '--line-strong': '#d6d0c4',
    '--ink-soft': '#57524a',
    '--pine-ink': pine[8],
    '--pine-wash': '#e9f3ef',
    '--dawn-ink': dawn[7],
    '--dawn-wash': '#fff1e0',
    '--red-ink': '#a8261c',
    '--red-wash': '#fcebe8',
    '--live': '#e0842a',
    '--code-keyword': '#8a3b12',
    '--code-string': '#1d6c5d',
    '--code-number': '#7a2f7f',
    '--code-name': '#1d4f80',
    '--code-title': '#3f3a8c',
  },
  dark: {
    '--mantine-color-body': '#1a1918',
    '--mantine-color-text': '#e6e3dd',
    '--mantine-color-dimmed': t.colors.dark?.[1] ?? '',
    '--mantine-color-placeholder': t.colors.dark?.[2] ?? '',
    '--mantine-color-anchor': pine[3],
    '--paper': '#1a1918',
    '--paper-raised': '#232220',
    '--paper-sunk': '#141413',
    '--line': '#32302d',
    '--line-strong': '#474440',
    '--ink-soft': '#bcb8b0',
    '--pine-ink': pine[3],
    '--pine-wash': '#1b2c28',
    '--dawn-ink': dawn[3],
    '--dawn-wash': '#332618',
    '--red-ink': '#f3a79f',
    '--red-wash': '#38201d',
    '--live': '#f0a04d',
    '--code-keyword': '#f0ab7a',
    '--code-string': '#8cc9b8',
    '--code-number': '#e0b6e5',
    '--code-name': '#a9cdf0',
    '--code-title': '#c0bdf2',
  },
});
