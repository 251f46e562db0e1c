import type {} from '@mui/material/themeCssVarsAugmentation';

interface Tints {
  neutral: string;
  accent: string;
  success: string;
  warning: string;
  danger: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    /** Border of input fields. */
    outline: string;
    /** Background of rows and controls on hover. */
    hover: string;
    /** Light backgrounds of badges and notices. */
    tint: Tints;
    /** Shadow of floating elements. */
    float: string;
  }
  interface PaletteOptions {
    outline?: string;
    hover?: string;
    tint?: Tints;
    float?: string;
  }
}
