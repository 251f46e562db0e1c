import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { SubmitButton } from '../ui/submit-button';
import { useUnsaved } from './unsaved';
import type { useForm } from './use-form';

interface Standing {
  changed: boolean;
  sending: boolean;
  /** Forgets what is kept of it over a reload. */
  forget?: () => void;
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
  const onFocus = useFocusBack(open && !asked);
  const standing = useRef(atRest);
  const tell = useCallback((next: Standing) => void (standing.current = next), []);
  const close = useCallback(() => {
    standing.current.forget?.();
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
      <Dialog {...rest} {...{ open, maxWidth, onFocus }} onClose={leave} aria-labelledby={titleId} fullWidth>
        {open && <InDialog value={frame}>{children}</InDialog>}
      </Dialog>
      <DiscardQuestion open={open && asked} onDiscard={close} onStay={() => setAsked(false)} />
    </>
  );
}

/** Gives the focus back to where it was in the dialog when a question above it has gone: a click beside takes it away. */
function useFocusBack(isFree: boolean): (event: FocusEvent<HTMLElement>) => void {
  const last = useRef<HTMLElement | null>(null);
  const wasFree = useRef(isFree);
  useEffect(() => {
    if (isFree && !wasFree.current) last.current?.focus();
    wasFree.current = isFree;
  }, [isFree]);
  return useCallback(({ target, currentTarget }) => {
    // The dialog itself, which a click beside it reaches, is no place to write.
    if (target.tabIndex >= 0 && currentTarget.contains(target)) last.current = target;
  }, []);
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
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'sending' | 'changed' | 'isUnsaved' | 'restored' | 'forget'>;
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
  const { sending, restored, forget } = form;
  const isChanged = form.changed || changed;
  useEffect(() => {
    tell({ changed: isChanged, sending, forget });
    return () => tell(atRest);
  }, [tell, isChanged, sending, forget]);
  useUnsaved(
    useCallback(() => isChanged && !sending, [isChanged, sending]),
    forget,
  );
  return (
    // The content scrolls between the title and the buttons.
    <form {...form.formProps} style={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          {restored && isChanged && (
            <Alert role="status" severity={restored === 'newer' ? 'warning' : 'info'}>
              {t(`form.restored.${restored}`)}
            </Alert>
          )}
          {children}
        </Stack>
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
