import Button from '@mui/material/Button';
import type { ReactNode } from 'react';

interface Props {
  /** Whether there is anything to save; the button then becomes the main one of the screen. */
  changed: boolean;
  sending: boolean;
  /** May be pressed without changes too, to be told what is missing. */
  always?: boolean;
  children: ReactNode;
}

/** Sends a form of the settings. Of the several on the screen only those with changes ask for attention. */
export function SaveButton({ changed, sending, always = false, children }: Props) {
  return (
    <Button
      type="submit"
      variant={changed ? 'contained' : 'outlined'}
      color={changed ? 'primary' : undefined}
      disabled={!changed && !always}
      loading={sending}
      loadingPosition="start"
    >
      {children}
    </Button>
  );
}
