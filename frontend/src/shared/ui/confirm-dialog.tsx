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
  /** Names the item: "Delete “Course material”?" */
  title: string;
  /** Explains what else is deleted. */
  children: ReactNode;
  confirmLabel: string;
  /** Label of the cancel button; Cancel by default. */
  cancelLabel?: string;
  tone?: 'danger' | 'plain';
  /** If set, the button is enabled only once exactly this has been typed. */
  typeToConfirm?: string;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action that can't be undone. */
export function ConfirmDialog({ open, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog
      open={open}
      // Content below regains the keyboard at once; while this dialog fades out, Escape would be lost.
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
