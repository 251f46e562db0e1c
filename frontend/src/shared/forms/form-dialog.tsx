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
import { useUnsavedChanges } from './unsaved-changes';
import type { useForm } from './use-form';

interface FormState {
  hasChanges: boolean;
  isSubmitting: boolean;
  /** Deletes the draft that survives a reload. */
  clearDraft?: () => void;
}

interface FormDialogContextValue {
  titleId: string;
  close: () => void;
  reportState: (state: FormState) => void;
}

const INITIAL_STATE: FormState = { hasChanges: false, isSubmitting: false };
const FormDialogContext = createContext<FormDialogContextValue | null>(null);

interface Props extends Pick<DialogProps, 'maxWidth' | 'fullScreen' | 'disableRestoreFocus'> {
  open: boolean;
  onClose: () => void;
  /** Escape and clicks outside do not close it. */
  closeOnlyByButtons?: boolean;
  /** A `DialogForm`, remounted each time the dialog opens; later perhaps its result. */
  children: ReactNode;
}

/**
 * A dialog with a form. Escape and a click outside close it, but not while it is being submitted, and with unsaved
 * input only after confirmation.
 */
export function FormDialog({ open, onClose, closeOnlyByButtons = false, maxWidth = 'sm', children, ...rest }: Props) {
  const titleId = useId();
  const [isDiscardDialogOpen, setIsDiscardDialogOpen] = useState(false);
  const onFocus = useRestoreFocus(open && !isDiscardDialogOpen);
  const stateRef = useRef(INITIAL_STATE);
  const reportState = useCallback((next: FormState) => void (stateRef.current = next), []);
  const close = useCallback(() => {
    stateRef.current.clearDraft?.();
    stateRef.current = INITIAL_STATE;
    setIsDiscardDialogOpen(false);
    onClose();
  }, [onClose]);
  const requestClose = () => {
    if (closeOnlyByButtons || stateRef.current.isSubmitting) return;
    if (stateRef.current.hasChanges) setIsDiscardDialogOpen(true);
    else close();
  };
  const contextValue = useMemo(() => ({ titleId, close, reportState }), [titleId, close, reportState]);
  return (
    <>
      <Dialog {...rest} {...{ open, maxWidth, onFocus }} onClose={requestClose} aria-labelledby={titleId} fullWidth>
        {open && <FormDialogContext value={contextValue}>{children}</FormDialogContext>}
      </Dialog>
      <DiscardChangesDialog
        open={open && isDiscardDialogOpen}
        onDiscard={close}
        onKeepEditing={() => setIsDiscardDialogOpen(false)}
      />
    </>
  );
}

/** Restores the focus inside the dialog after a dialog above it closes; a click outside moves the focus away. */
function useRestoreFocus(isTopmost: boolean): (event: FocusEvent<HTMLElement>) => void {
  const lastFocusedRef = useRef<HTMLElement | null>(null);
  const wasTopmostRef = useRef(isTopmost);
  useEffect(() => {
    if (isTopmost && !wasTopmostRef.current) lastFocusedRef.current?.focus();
    wasTopmostRef.current = isTopmost;
  }, [isTopmost]);
  return useCallback(({ target, currentTarget }) => {
    // The dialog element itself, which gets the focus on a click outside, is no input.
    if (target.tabIndex >= 0 && currentTarget.contains(target)) lastFocusedRef.current = target;
  }, []);
}

/** Asks before unsaved input is discarded. */
export function DiscardChangesDialog(props: { open: boolean; onDiscard: () => void; onKeepEditing: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={props.open}
      title={t('form.discardTitle')}
      confirmLabel={t('form.discard')}
      cancelLabel={t('form.stay')}
      onConfirm={props.onDiscard}
      onClose={props.onKeepEditing}
    >
      {t('form.discardText')}
    </ConfirmDialog>
  );
}

interface DialogFormProps {
  title: ReactNode;
  form: Pick<
    ReturnType<typeof useForm>,
    'formProps' | 'isSubmitting' | 'hasChanges' | 'hasUnsavedChanges' | 'restoredDraft' | 'clearDraft'
  >;
  /** Label of the submit button. */
  submitLabel: string;
  /** Disables the submit button while there is nothing to submit. */
  disabled?: boolean;
  /** Whether something outside the form's fields was changed. */
  hasOtherChanges?: boolean;
  /** Submitting deletes something permanently. */
  isDestructive?: boolean;
  /** Shown to the left of the buttons. */
  extraActions?: ReactNode;
  children: ReactNode;
}

/** The form inside a `FormDialog`: title, fields, Cancel and the submit button. */
export function DialogForm({
  title,
  form,
  submitLabel,
  disabled,
  hasOtherChanges = false,
  isDestructive,
  extraActions,
  children,
}: DialogFormProps) {
  const { t } = useTranslation();
  const { titleId, close, reportState } = useFormDialog();
  const { isSubmitting, restoredDraft, clearDraft } = form;
  const hasAnyChanges = form.hasChanges || hasOtherChanges;
  useEffect(() => {
    reportState({ hasChanges: hasAnyChanges, isSubmitting, clearDraft });
    return () => reportState(INITIAL_STATE);
  }, [reportState, hasAnyChanges, isSubmitting, clearDraft]);
  useUnsavedChanges(
    useCallback(() => hasAnyChanges && !isSubmitting, [hasAnyChanges, isSubmitting]),
    clearDraft,
  );
  return (
    // The content scrolls between the title and the buttons.
    <form {...form.formProps} style={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          {restoredDraft && hasAnyChanges && (
            <Alert role="status" severity={restoredDraft === 'newer' ? 'warning' : 'info'}>
              {t(`form.restored.${restoredDraft}`)}
            </Alert>
          )}
          {children}
        </Stack>
      </DialogContent>
      <DialogActions>
        {extraActions}
        <Button onClick={close} disabled={isSubmitting}>
          {t('actions.cancel')}
        </Button>
        <SubmitButton isSubmitting={isSubmitting} disabled={disabled} color={isDestructive ? 'error' : 'primary'}>
          {submitLabel}
        </SubmitButton>
      </DialogActions>
    </form>
  );
}

/** The surrounding dialog: the id for its title, and how to close it. */
export function useFormDialog(): FormDialogContextValue {
  const contextValue = use(FormDialogContext);
  if (!contextValue) throw new Error('DialogForm must be used inside FormDialog.');
  return contextValue;
}
