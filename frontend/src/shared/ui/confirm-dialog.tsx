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
  isPending?: boolean;
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
      onClose={rest.isPending ? undefined : onClose}
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
    isPending,
    onConfirm,
    onClose,
  } = props;
  const { t } = useTranslation();
  const [typedText, setTypedText] = useState('');
  const isAllowed = typeToConfirm === undefined || typedText.trim() === typeToConfirm;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isAllowed && !isPending) onConfirm();
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
              value={typedText}
              autoComplete="off"
              onChange={(event) => setTypedText(event.target.value)}
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isPending} autoFocus={typeToConfirm === undefined}>
          {cancelLabel ?? t('actions.cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          color={tone === 'danger' ? 'error' : 'primary'}
          disabled={!isAllowed}
          loading={isPending}
          loadingPosition="start"
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
