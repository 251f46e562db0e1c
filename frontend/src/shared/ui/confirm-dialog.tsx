import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField } from './fields/form-field';

interface Props {
  open: boolean;
  /** Names the thing: "Delete “Course material”?" */
  title: string;
  /** What else goes with it. */
  children: ReactNode;
  confirmLabel: string;
  /** What the way back is called; Cancel when not given. */
  cancelLabel?: string;
  tone?: 'danger' | 'plain';
  /** When given, the button works only once exactly this has been typed. */
  typeToConfirm?: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ open, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog
      open={open}
      // What lies below has the keys at once: while this one fades, Escape would go to nobody.
      closeAfterTransition={false}
      onClose={rest.busy ? undefined : onClose}
      aria-labelledby={`${id}-title`}
    >
      {open && <ConfirmForm id={id} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function ConfirmForm(props: Omit<Props, 'open'> & { id: string }) {
  const {
    id,
    title,
    children,
    confirmLabel,
    cancelLabel,
    tone = 'danger',
    typeToConfirm,
    busy,
    onConfirm,
    onClose,
  } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const allowed = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (allowed && !busy) onConfirm();
  };
  return (
    <form onSubmit={submit} noValidate>
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography component="div" color="textSecondary">
            {children}
          </Typography>
          {typeToConfirm !== undefined && (
            <FormField
              id={`${id}-confirm`}
              name="confirm"
              label={t('form.typeToConfirm', { text: typeToConfirm })}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={busy} autoFocus={typeToConfirm === undefined}>
          {cancelLabel ?? t('actions.cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          color={tone === 'danger' ? 'error' : 'primary'}
          disabled={!allowed}
          loading={busy}
          loadingPosition="start"
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
