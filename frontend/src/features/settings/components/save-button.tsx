import Button from '@mui/material/Button';
import type { ReactNode } from 'react';

interface Props {
  /** Whether there is anything to save; the button then becomes the main one of the screen. */
  hasChanges: boolean;
  isSubmitting: boolean;
  /** May be pressed without changes too, to be told what is missing. */
  alwaysEnabled?: boolean;
  children: ReactNode;
}

/** Sends a form of the settings. Of the several on the screen only those with changes ask for attention. */
export function SaveButton({ hasChanges, isSubmitting, alwaysEnabled = false, children }: Props) {
  return (
    <Button
      type="submit"
      variant={hasChanges ? 'contained' : 'outlined'}
      color={hasChanges ? 'primary' : undefined}
      disabled={!hasChanges && !alwaysEnabled}
      loading={isSubmitting}
      loadingPosition="start"
    >
      {children}
    </Button>
  );
}
