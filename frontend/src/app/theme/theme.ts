import { createTheme, type ColorSystemOptions } from '@mui/material/styles';
import './augment.ts';
import { componentStyles } from './components.ts';
import * as tokens from './tokens.ts';

const rem = (pixels: number) => `${pixels / 16}rem`;

function scheme(colours: tokens.SchemeColours, float: string): ColorSystemOptions {
  const { tint, outline, hover } = colours;
  const status = (main: string, strong = main) => ({ main, light: main, dark: strong, contrastText: colours.onStatus });
  return {
    palette: {
      primary: {
        main: colours.accent,
        light: colours.accent,
        dark: colours.accentHover,
        contrastText: colours.onAccent,
      },
      secondary: { main: colours.text, light: colours.text, dark: colours.text, contrastText: colours.surface },
      success: status(colours.success),
      warning: status(colours.warning),
      error: status(colours.danger, colours.dangerHover),
      info: status(colours.textSecondary),
      background: { default: colours.paper, paper: colours.surface },
      text: { primary: colours.text, secondary: colours.textSecondary, disabled: colours.outline },
      divider: colours.line,
      action: { hover: colours.hover, selected: tint.accent, hoverOpacity: 0.06, selectedOpacity: 0.1 },
      outline,
      hover,
      tint,
      float,
    },
  };
}

const { fontSize, fontWeight } = tokens;
const heading = (size: number, lineHeight: number) => ({
  fontSize: rem(size),
  lineHeight,
  fontWeight: fontWeight.semibold,
  letterSpacing: size >= 20 ? '-0.015em' : '-0.006em',
});

/** The product's only theme: signed-in pages, administration and, as CSS variables, the public pages. */
export const theme = createTheme({
  cssVariables: { cssVarPrefix: 'mui', colorSchemeSelector: 'data-theme' },
  colorSchemes: {
    light: scheme(tokens.light, tokens.shadow.light),
    dark: scheme(tokens.dark, tokens.shadow.dark),
  },
  spacing: tokens.spaceStep,
  shape: { borderRadius: tokens.radius.control },
  breakpoints: { values: { xs: 0, sm: 600, md: tokens.layoutSize.drawerBelow, lg: 1200, xl: 1536 } },
  motion: { reducedMotion: 'system' },
  transitions: {
    duration: {
      shortest: tokens.duration.short,
      shorter: tokens.duration.short,
      short: tokens.duration.standard,
      standard: tokens.duration.standard,
      complex: tokens.duration.long,
      enteringScreen: tokens.duration.standard,
      leavingScreen: tokens.duration.short,
    },
  },
  typography: {
    fontFamily: tokens.fontFamily,
    fontSize: fontSize.md,
    fontWeightRegular: fontWeight.regular,
    fontWeightMedium: fontWeight.medium,
    fontWeightBold: fontWeight.semibold,
    h1: heading(fontSize.xxl, 1.25),
    h2: heading(fontSize.xl, 1.3),
    h3: heading(fontSize.lg, 1.4),
    h4: heading(fontSize.md, 1.45),
    h5: heading(fontSize.sm, 1.45),
    h6: heading(fontSize.xs, 1.45),
    subtitle1: { fontSize: rem(fontSize.lg), lineHeight: 1.5 },
    subtitle2: { fontSize: rem(fontSize.md), lineHeight: 1.5, fontWeight: fontWeight.medium },
    body1: { fontSize: rem(fontSize.md), lineHeight: 1.5 },
    body2: { fontSize: rem(fontSize.sm), lineHeight: 1.5 },
    caption: { fontSize: rem(fontSize.xs), lineHeight: 1.4 },
    button: { fontSize: rem(fontSize.md), fontWeight: fontWeight.medium, textTransform: 'none', letterSpacing: 0 },
    overline: { fontSize: rem(fontSize.xs), textTransform: 'none', letterSpacing: 0 },
  },
  components: componentStyles,
});
