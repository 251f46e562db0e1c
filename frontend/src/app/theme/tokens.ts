/** Design tokens. Nothing outside this folder defines its own colours, sizes or durations. */

/** In pixels: `theme.spacing(n)` is n steps of 4. */
export const spaceStep = 4;

export const radius = { control: 6, card: 10 } as const;

/** In pixels; `touch` applies to coarse pointers. */
export const controlHeight = { pointer: 36, touch: 44 } as const;

export const layoutSize = { sidebar: 240, sidebarCollapsed: 64, topBar: 56, content: 1200, drawerBelow: 900 } as const;

/** In pixels. 14 is the app's text size, 16 the public pages'. */
export const fontSize = { xs: 12, sm: 13, md: 14, lg: 16, xl: 20, xxl: 24, title: 32, display: 48 } as const;

export const fontWeight = { regular: 400, medium: 500, semibold: 600 } as const;

export const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** In milliseconds. */
export const duration = { short: 120, standard: 160, long: 200 } as const;

/**
 * Backgrounds around the pages of a document; the same in both colour schemes, because the user chooses them
 * separately.
 */
export const readerBackgrounds = { black: '#0E0F10', paper: '#EFEEE9', sepia: '#E8DABF' } as const;

/** Only floating elements have a shadow. */
export const shadow = {
  light: '0 8px 24px rgba(27, 28, 31, 0.14), 0 1px 3px rgba(27, 28, 31, 0.1)',
  dark: '0 8px 24px rgba(0, 0, 0, 0.55), 0 1px 3px rgba(0, 0, 0, 0.45)',
} as const;

export interface SchemeColours {
  /** Page background. */
  paper: string;
  /** Cards, bars, dialogs. */
  surface: string;
  /** One-pixel dividers. */
  line: string;
  /** Border of input fields; 3:1 contrast against the surface. */
  outline: string;
  text: string;
  textSecondary: string;
  hover: string;
  accent: string;
  accentHover: string;
  onAccent: string;
  success: string;
  warning: string;
  danger: string;
  dangerHover: string;
  onStatus: string;
  tint: { neutral: string; accent: string; success: string; warning: string; danger: string };
}

export const light: SchemeColours = {
  paper: '#FAFAF7',
  surface: '#FFFFFF',
  line: '#E6E4DD',
  outline: '#8A8983',
  text: '#1B1C1F',
  textSecondary: '#5E5F66',
  hover: '#F3F2ED',
  accent: '#2545D3',
  accentHover: '#1D38B0',
  onAccent: '#FFFFFF',
  success: '#067647',
  warning: '#B54708',
  danger: '#B42318',
  dangerHover: '#912018',
  onStatus: '#FFFFFF',
  tint: { neutral: '#F1F0EB', accent: '#EBEEFC', success: '#E7F4ED', warning: '#FCF1E4', danger: '#FCECEA' },
};

export const dark: SchemeColours = {
  paper: '#131416',
  surface: '#1B1C1F',
  line: '#303136',
  outline: '#777880',
  text: '#ECEBE6',
  textSecondary: '#A6A69F',
  hover: '#25262A',
  accent: '#8EA2FF',
  accentHover: '#A9B8FF',
  onAccent: '#131416',
  success: '#47CD89',
  warning: '#FDB022',
  danger: '#F97066',
  dangerHover: '#FDA29B',
  onStatus: '#131416',
  tint: { neutral: '#26272B', accent: '#22273F', success: '#16291F', warning: '#2E2414', danger: '#331E1C' },
};
