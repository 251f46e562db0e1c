import Button from '@mui/material/Button';
import type { ReactNode } from 'react';

interface Props {
  isSubmitting: boolean;
  disabled?: boolean;
  fullWidth?: boolean;
  color?: 'primary' | 'error';
  children: ReactNode;
}

/** Primary button of a form. While submitting, it shows progress and ignores clicks. */
export function SubmitButton({ isSubmitting, color = 'primary', children, ...rest }: Props) {
  return (
    <Button type="submit" variant="contained" color={color} loading={isSubmitting} loadingPosition="start" {...rest}>
      {children}
    </Button>
  );
}
