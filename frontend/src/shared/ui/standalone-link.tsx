import MuiLink from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

type Props = Pick<LinkProps, 'to' | 'state'> & { variant?: 'body1' | 'body2'; children: ReactNode };

/** A link that isn't part of a sentence: as high as a button on touch screens. */
export function StandaloneLink({ variant = 'body1', ...props }: Props) {
  return (
    <MuiLink
      component={Link}
      variant={variant}
      sx={{ '@media (pointer: coarse)': { display: 'inline-flex', alignItems: 'center', minHeight: 44 } }}
      {...props}
    />
  );
}
