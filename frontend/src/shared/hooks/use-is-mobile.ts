import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';

/** True on a screen as narrow as a phone's, from the first drawing on. */
export const useIsMobile = () => useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
