import Button from '@mui/material/Button';
import type { ReactNode } from 'react';

interface Props {
  /** Whether there are changes to save; the button is then styled as primary. */
  hasChanges: boolean;
  isSubmitting: boolean;
  /** Can be clicked without changes as well, to show which input is missing. */
  alwaysEnabled?: boolean;
  children: ReactNode;
}

/** Submit button of a settings form. Of the several forms on the page only those with changes are highlighted. */
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
