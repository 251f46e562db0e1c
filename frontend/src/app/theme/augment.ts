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
    /** The edge of fields that can be filled in. */
    outline: string;
    /** The fill of a row or a control under the pointer. */
    hover: string;
    /** Quiet fills behind badges and notices. */
    tint: Tints;
    /** The shadow of what floats. */
    float: string;
  }
  interface PaletteOptions {
    outline?: string;
    hover?: string;
    tint?: Tints;
    float?: string;
  }
}
