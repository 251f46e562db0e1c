import type { theme as productTheme } from './theme.ts';
import * as tokens from './tokens.ts';

type ProductTheme = typeof productTheme;
type Declarations = Record<string, string>;

/**
 * Generates a style sheet with `--z-…` variables for pages in plain CSS: colours per colour scheme (chosen by
 * `data-theme` on the root element, else by the browser's preference), and the sizes, which are the same in both.
 */
export function cssVariables(theme: ProductTheme): string {
  const sizes = formatRule(':root', sizeVariables());
  const light = formatRule(':root, [data-theme="light"]', colourVariables(theme, 'light'));
  const dark = formatRule('[data-theme="dark"]', colourVariables(theme, 'dark'));
  const darkBySystem = formatRule(':root:not([data-theme])', colourVariables(theme, 'dark'));
  return `${sizes}${light}${dark}@media (prefers-color-scheme:dark){${darkBySystem}}`;
}

function colourVariables(theme: ProductTheme, scheme: 'light' | 'dark'): Declarations {
  const palette = theme.colorSchemes[scheme]?.palette;
  if (!palette) throw new Error(`The theme has no ${scheme} colours.`);
  const { tint } = palette;
  return {
    'color-scheme': scheme,
    '--z-paper': palette.background.default,
    '--z-surface': palette.background.paper,
    '--z-line': palette.divider,
    '--z-outline': palette.outline,
    '--z-hover': palette.hover,
    '--z-text': palette.text.primary,
    '--z-text-second': palette.text.secondary,
    '--z-accent': palette.primary.main,
    '--z-accent-hover': palette.primary.dark,
    '--z-on-accent': palette.primary.contrastText,
    '--z-success': palette.success.main,
    '--z-warning': palette.warning.main,
    '--z-danger': palette.error.main,
    '--z-tint-neutral': tint.neutral,
    '--z-tint-accent': tint.accent,
    '--z-tint-success': tint.success,
    '--z-tint-warning': tint.warning,
    '--z-tint-danger': tint.danger,
    '--z-float': palette.float,
  };
}

function sizeVariables(): Declarations {
  const px = (value: number) => `${value}px`;
  const fonts = Object.entries(tokens.fontSize).map(([name, size]) => [`--z-font-${name}`, `${size / 16}rem`]);
  return {
    '--z-font': tokens.fontFamily,
    ...Object.fromEntries(fonts),
    '--z-radius': px(tokens.radius.control),
    '--z-radius-card': px(tokens.radius.card),
    '--z-control': px(tokens.controlHeight.pointer),
    '--z-control-touch': px(tokens.controlHeight.touch),
    '--z-top-bar': px(tokens.layoutSize.topBar),
    '--z-content': px(tokens.layoutSize.content),
    '--z-motion': `${tokens.duration.standard}ms`,
    '--z-around-black': tokens.readerBackgrounds.black,
    '--z-around-paper': tokens.readerBackgrounds.paper,
    '--z-around-sepia': tokens.readerBackgrounds.sepia,
  };
}

function formatRule(selector: string, declarations: Declarations): string {
  const lines = Object.entries(declarations).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${lines.join(';')}}`;
}
