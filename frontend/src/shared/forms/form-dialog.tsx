import Button from '@mui/material/Button';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { SubmitButton } from '../ui/submit-button';
import { useUnsaved } from './unsaved';
import type { useForm } from './use-form';

interface Standing {
  changed: boolean;
  sending: boolean;
}

interface Frame {
  titleId: string;
  close: () => void;
  tell: (standing: Standing) => void;
}

const atRest: Standing = { changed: false, sending: false };
const InDialog = createContext<Frame | null>(null);

interface Props extends Pick<DialogProps, 'maxWidth' | 'fullScreen' | 'disableRestoreFocus'> {
  open: boolean;
  onClose: () => void;
  /** Only its own buttons close it. */
  keepOpen?: boolean;
  /** A `DialogForm`, drawn anew each time that the dialog opens; then perhaps what came of it. */
  children: ReactNode;
}

/**
 * A dialog that holds a form. Escape and a click beside it close it, but never while it is being sent, and when something
 * was written only after a question.
 */
export function FormDialog({ open, onClose, keepOpen = false, maxWidth = 'sm', children, ...rest }: Props) {
  const titleId = useId();
  const [asked, setAsked] = useState(false);
  const standing = useRef(atRest);
  const tell = useCallback((next: Standing) => void (standing.current = next), []);
  const close = useCallback(() => {
    standing.current = atRest;
    setAsked(false);
    onClose();
  }, [onClose]);
  const leave = () => {
    if (keepOpen || standing.current.sending) return;
    if (standing.current.changed) setAsked(true);
    else close();
  };
  const frame = useMemo(() => ({ titleId, close, tell }), [titleId, close, tell]);
  return (
    <>
      <Dialog {...rest} {...{ open, maxWidth }} onClose={leave} aria-labelledby={titleId} fullWidth>
        {open && <InDialog value={frame}>{children}</InDialog>}
      </Dialog>
      <DiscardQuestion open={open && asked} onDiscard={close} onStay={() => setAsked(false)} />
    </>
  );
}

/** Asks whether what was written may go. */
export function DiscardQuestion(props: { open: boolean; onDiscard: () => void; onStay: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={props.open}
      title={t('form.discardTitle')}
      confirmLabel={t('form.discard')}
      cancelLabel={t('form.stay')}
      onConfirm={props.onDiscard}
      onClose={props.onStay}
    >
      {t('form.discardText')}
    </ConfirmDialog>
  );
}

interface FormProps {
  title: ReactNode;
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'sending' | 'changed' | 'isUnsaved'>;
  /** What the button says that sends the form. */
  submit: string;
  /** Keeps the button from being pressed, as long as there is nothing to send. */
  disabled?: boolean;
  /** Whether something beside the fields of the form was changed. */
  changed?: boolean;
  /** Sending takes something away that does not come back. */
  danger?: boolean;
  /** What stands at the left of the buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The form inside a `FormDialog`: title, fields, Cancel and the button that sends it. */
export function DialogForm({ title, form, submit, disabled, changed = false, danger, aside, children }: FormProps) {
  const { t } = useTranslation();
  const { titleId, close, tell } = useDialog();
  const { sending } = form;
  const isChanged = form.changed || changed;
  useEffect(() => {
    tell({ changed: isChanged, sending });
    return () => tell(atRest);
  }, [tell, isChanged, sending]);
  useUnsaved(useCallback(() => isChanged && !sending, [isChanged, sending]));
  return (
    // The content scrolls between the title and the buttons.
    <form {...form.formProps} style={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>{children}</Stack>
      </DialogContent>
      <DialogActions>
        {aside}
        <Button onClick={close} disabled={sending}>
          {t('actions.cancel')}
        </Button>
        <SubmitButton sending={sending} disabled={disabled} color={danger ? 'error' : 'primary'}>
          {submit}
        </SubmitButton>
      </DialogActions>
    </form>
  );
}

/** The dialog around: the id that its title must have, and the way out. */
export function useDialog(): Frame {
  const frame = use(InDialog);
  if (!frame) throw new Error('A DialogForm stands inside a FormDialog.');
  return frame;
}
