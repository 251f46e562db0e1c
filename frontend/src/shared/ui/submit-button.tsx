import Button from '@mui/material/Button';
import type { ReactNode } from 'react';

interface Props {
  isSubmitting: boolean;
  disabled?: boolean;
  fullWidth?: boolean;
  color?: 'primary' | 'error';
  children: ReactNode;
}

/** The one main action of a form. While it is being sent it says so and takes no second click. */
export function SubmitButton({ isSubmitting, color = 'primary', children, ...rest }: Props) {
  return (
    <Button type="submit" variant="contained" color={color} loading={isSubmitting} loadingPosition="start" {...rest}>
      {children}
    </Button>
  );
}
