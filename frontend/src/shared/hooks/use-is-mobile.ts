import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';

/** Whether the screen is as narrow as a phone's, correct from the first render. */
export const useIsMobile = () => useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
