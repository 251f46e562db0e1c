import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';
import { useIsMobile } from '../../../shared/hooks/use-is-mobile';

interface Props {
  icon: ReactNode;
  label: string;
  onClick: () => void;
  isDestructive?: boolean;
  disabled?: boolean;
}

/** An action of the selection bar; on phones only its icon, so that all actions fit in one row. */
export function SelectionAction({ icon, label, onClick, isDestructive = false, disabled }: Props) {
  const isMobile = useIsMobile();
  if (!isMobile) {
    return (
      <Button
        variant="text"
        color={isDestructive ? 'error' : undefined}
        disabled={disabled}
        startIcon={icon}
        onClick={onClick}
      >
        {label}
      </Button>
    );
  }
  return (
    <Tooltip title={label}>
      <span>
        <IconButton
          aria-label={label}
          disabled={disabled}
          onClick={onClick}
          sx={isDestructive ? { color: 'error.main' } : undefined}
        >
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  );
}
