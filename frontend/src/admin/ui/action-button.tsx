import Button, { type ButtonProps } from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { useAdminMutation, type AdminMutationOptions } from './use-admin-mutation';

interface Props<R>
  extends AdminMutationOptions<void, R>, Pick<ButtonProps, 'size' | 'variant' | 'color' | 'disabled' | 'startIcon'> {
  label: string;
  /** Accessible name, if several buttons have the same label. */
  name?: string;
  /** Shown instead of the label. */
  icon?: ReactNode;
  /** Asks before the action runs. */
  confirm?: {
    title: string;
    text: ReactNode;
    /** Label of the confirming button; the button's own by default. */
    label?: string;
    tone?: 'danger' | 'plain';
    typeToConfirm?: string;
  };
  onDone?: () => void;
}

/** Runs one action of the administration, after a confirmation if there is one. A click doesn't open the row around it. */
export function ActionButton<R>(props: Props<R>) {
  const { resource, call, successMessage, errorTitle, handleError, label, name, icon, confirm, onDone, ...rest } =
    props;
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const action = useAdminMutation<void, R>({ resource, call, successMessage, errorTitle, handleError });
  const isRunning = action.isPending && !confirm;
  const run = () => action.mutate(undefined, { onSuccess: () => onDone?.(), onSettled: () => setIsConfirmOpen(false) });
  const handleClick = (event: MouseEvent) => {
    event.stopPropagation();
    if (confirm) setIsConfirmOpen(true);
    else run();
  };
  return (
    <>
      {icon ? (
        <IconButton edge="end" aria-label={name ?? label} disabled={isRunning} onClick={handleClick}>
          {icon}
        </IconButton>
      ) : (
        <Button
          {...rest}
          aria-label={name}
          loading={isRunning}
          loadingPosition={rest.startIcon ? 'start' : 'center'}
          onClick={handleClick}
        >
          {label}
        </Button>
      )}
      {confirm && (
        <span role="presentation" onClick={(event) => event.stopPropagation()}>
          <ConfirmDialog
            open={isConfirmOpen}
            title={confirm.title}
            confirmLabel={confirm.label ?? label}
            tone={confirm.tone}
            typeToConfirm={confirm.typeToConfirm}
            isPending={action.isPending}
            onConfirm={run}
            onClose={() => setIsConfirmOpen(false)}
          >
            {confirm.text}
          </ConfirmDialog>
        </span>
      )}
    </>
  );
}
