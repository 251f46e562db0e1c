import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { controlHeight, fontWeight, radius } from './tokens.ts';

type ThemeComponents = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

const TOUCH_QUERY = '@media (pointer: coarse)';
const controlHeightStyles = { minHeight: controlHeight.pointer, [TOUCH_QUERY]: { minHeight: controlHeight.touch } };

const buttons: ThemeComponents = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { variant: 'outlined', color: 'inherit', disableElevation: true },
    styleOverrides: {
      root: ({ theme }) => ({
        ...controlHeightStyles,
        padding: theme.spacing(0, 4),
        whiteSpace: 'nowrap',
        '& .MuiButton-startIcon > *:first-of-type, & .MuiButton-endIcon > *:first-of-type': { fontSize: 20 },
      }),
      outlined: ({ theme }) => ({
        borderColor: theme.vars.palette.divider,
        backgroundColor: theme.vars.palette.background.paper,
        '&:hover': { backgroundColor: theme.vars.palette.hover, borderColor: theme.vars.palette.divider },
        '&.MuiButton-colorError:not(.Mui-disabled)': {
          borderColor: theme.vars.palette.divider,
          color: theme.vars.palette.error.main,
        },
      }),
      text: ({ theme }) => ({ padding: theme.spacing(0, 2), '&:hover': { backgroundColor: theme.vars.palette.hover } }),
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: controlHeight.pointer,
        height: controlHeight.pointer,
        padding: 0,
        borderRadius: radius.control,
        color: theme.vars.palette.text.secondary,
        '&:hover': { backgroundColor: theme.vars.palette.hover, color: theme.vars.palette.text.primary },
        [TOUCH_QUERY]: { width: controlHeight.touch, height: controlHeight.touch },
      }),
    },
  },
  MuiSvgIcon: { styleOverrides: { root: { fontSize: 20 } } },
  MuiLink: {
    defaultProps: { color: 'inherit', underline: 'always' },
    styleOverrides: {
      root: ({ theme }) => ({
        textUnderlineOffset: '0.2em',
        textDecorationColor: theme.vars.palette.outline,
        fontWeight: fontWeight.medium,
        '&:hover': { textDecorationColor: 'currentcolor' },
      }),
    },
  },
};

const inputs: ThemeComponents = {
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: ({ theme }) => ({
        ...controlHeightStyles,
        backgroundColor: theme.vars.palette.background.paper,
        '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.outline },
        '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.text.secondary },
        '&.Mui-disabled .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.divider },
      }),
      input: ({ theme }) => ({ padding: theme.spacing(1.5, 3), height: 'auto' }),
      multiline: ({ theme }) => ({ padding: theme.spacing(0.5, 0) }),
    },
  },
  MuiInputBase: {
    styleOverrides: {
      input: ({ theme }) => ({
        '&::placeholder': { opacity: 1, color: theme.vars.palette.text.secondary },
        // iOS zooms in on fields with a smaller font.
        [TOUCH_QUERY]: { fontSize: theme.typography.subtitle1.fontSize },
      }),
    },
  },
  MuiCheckbox: {
    styleOverrides: { root: ({ theme }) => ({ padding: theme.spacing(2), color: theme.vars.palette.outline }) },
  },
  MuiRadio: {
    styleOverrides: { root: ({ theme }) => ({ padding: theme.spacing(2), color: theme.vars.palette.outline }) },
  },
  MuiFormControlLabel: { styleOverrides: { root: ({ theme }) => ({ marginLeft: theme.spacing(-2) }) } },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...controlHeightStyles,
        padding: theme.spacing(0, 3),
        borderColor: theme.vars.palette.divider,
      }),
    },
  },
};

const text: ThemeComponents = {
  // A subtitle is a paragraph; headings are marked up where they are used.
  MuiTypography: { defaultProps: { variantMapping: { subtitle1: 'p', subtitle2: 'p', body1: 'p', body2: 'p' } } },
};

const surfaces: ThemeComponents = {
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiCard: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: { root: { borderRadius: radius.card } },
  },
  MuiCardContent: {
    styleOverrides: {
      root: ({ theme }) => ({ padding: theme.spacing(4), '&:last-child': { paddingBottom: theme.spacing(4) } }),
    },
  },
  MuiDialog: {
    defaultProps: { fullWidth: true, maxWidth: 'xs' },
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: radius.card,
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.vars.palette.float,
        [theme.breakpoints.down('sm')]: {
          margin: theme.spacing(4),
          maxWidth: `calc(100% - ${theme.spacing(8)})`,
          width: '100%',
        },
        '&.MuiDialog-paperFullScreen': { margin: 0, maxWidth: '100%', borderRadius: 0, border: 0 },
      }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: ({ theme }) => ({ ...theme.typography.h3, padding: theme.spacing(6, 6, 3) }),
    },
  },
  MuiDialogContent: {
    styleOverrides: {
      root: ({ theme }) => ({
        padding: theme.spacing(2, 6, 4),
        // A line above the buttons while there is more to scroll to: at the end, the first layer, which scrolls with the
        // content, covers it.
        background: [
          `linear-gradient(${theme.vars.palette.background.paper}, ${theme.vars.palette.background.paper}) bottom / 100% 2px no-repeat local`,
          `linear-gradient(${theme.vars.palette.outline}, ${theme.vars.palette.outline}) bottom / 100% 1px no-repeat scroll`,
        ].join(', '),
      }),
    },
  },
  MuiDialogActions: {
    styleOverrides: {
      root: ({ theme }) => ({ padding: theme.spacing(2, 6, 6), flexWrap: 'wrap', gap: theme.spacing(2) }),
    },
    defaultProps: { disableSpacing: true },
  },
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgba(19, 20, 22, 0.5)' } } },
  },
};

const menus: ThemeComponents = {
  MuiMenu: {
    styleOverrides: {
      paper: ({ theme }) => ({
        marginTop: theme.spacing(1),
        minWidth: 200,
        borderRadius: radius.card,
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.vars.palette.float,
      }),
      list: ({ theme }) => ({ padding: theme.spacing(1) }),
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: controlHeight.pointer,
        // MUI shrinks menu items on wide screens; ours keep the height of a control.
        [theme.breakpoints.up('sm')]: { minHeight: controlHeight.pointer },
        [TOUCH_QUERY]: { minHeight: controlHeight.touch },
        gap: theme.spacing(2),
        padding: theme.spacing(1, 2),
        borderRadius: radius.control,
        fontSize: theme.typography.body1.fontSize,
        '&.Mui-focusVisible': { backgroundColor: theme.vars.palette.hover },
      }),
    },
  },
  MuiListItemIcon: { styleOverrides: { root: { minWidth: 0, color: 'inherit' } } },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, arrow: false },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        fontSize: theme.typography.caption.fontSize,
        fontWeight: fontWeight.regular,
        padding: theme.spacing(1, 2),
        backgroundColor: theme.vars.palette.text.primary,
        color: theme.vars.palette.background.paper,
      }),
    },
  },
};

const data: ThemeComponents = {
  MuiAlert: {
    styleOverrides: {
      root: ({ theme }) => ({
        padding: theme.spacing(3, 4),
        borderRadius: radius.control,
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.tint.neutral,
      }),
      icon: ({ theme }) => ({ padding: 0, marginRight: theme.spacing(3), color: theme.vars.palette.text.secondary }),
      message: { padding: 0, overflow: 'visible' },
    },
  },
  MuiAlertTitle: {
    styleOverrides: { root: ({ theme }) => ({ ...theme.typography.subtitle2, marginTop: 0, marginBottom: 0 }) },
  },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 44,
        padding: theme.spacing(0, 3),
        borderColor: theme.vars.palette.divider,
        fontVariantNumeric: 'tabular-nums',
      }),
      head: ({ theme }) => ({
        fontSize: theme.typography.body2.fontSize,
        fontWeight: fontWeight.medium,
        color: theme.vars.palette.text.secondary,
      }),
    },
  },
  MuiTab: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 44,
        minWidth: 0,
        padding: theme.spacing(0, 3),
        color: theme.vars.palette.text.secondary,
        '&.Mui-selected': { color: theme.vars.palette.text.primary },
      }),
    },
  },
  MuiTabs: { styleOverrides: { root: { minHeight: 44 } } },
  MuiSkeleton: {
    defaultProps: { animation: 'pulse' },
    styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.vars.palette.tint.neutral }) },
  },
  MuiLinearProgress: {
    styleOverrides: {
      root: ({ theme }) => ({ height: 6, borderRadius: 3, backgroundColor: theme.vars.palette.tint.neutral }),
      bar: { borderRadius: 3 },
    },
  },
};

/** Style overrides of MUI's components. */
export const componentStyles: ThemeComponents = { ...buttons, ...inputs, ...text, ...surfaces, ...menus, ...data };
