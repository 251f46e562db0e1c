import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';

interface Props {
  open: boolean;
  title: string;
  label: string;
  help?: string;
  /** Initial value of the field. */
  name: string;
  /** Length of the initially selected part, which typing replaces; everything if undefined. */
  selectionLength?: number;
  submitLabel: string;
  /** Title of the error message if it fails for a reason the field can't show. */
  failureTitle: string;
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for a name: of a new folder, or a new one for an entry. */
export function NameDialog({ open, onClose, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={onClose} maxWidth="xs">
      <NameForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function NameForm(props: Omit<Props, 'open'>) {
  const { title, label, help, name, selectionLength, submitLabel, failureTitle, onSubmit, onClose } = props;
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const form = useForm({
    initial: { name },
    validate: (values) => (values.name.trim() ? {} : { name: t('folderForm.required') }),
    submit: async (values) => {
      if (values.name.trim() !== name) await onSubmit(values.name.trim());
      onClose();
    },
    onFailure: (error) => {
      const isNameError = hasCode(error, 'DUPLICATE_NAMES', 'INVALID_NAME', 'FOLDER_TOO_DEEP');
      const messages = isNameError ? Object.values(error.errors).flat() : [];
      if (isNameError) form.showErrors({ name: messages[0] ?? error.message });
      else toast.error(failureTitle, errorText(error));
    },
  });
  const field = form.field('name');
  const initialSelectionRef = useRef({ id: field.id, selectionLength });
  useEffect(() => {
    const input = document.getElementById(initialSelectionRef.current.id) as HTMLInputElement;
    input.focus();
    input.setSelectionRange(0, initialSelectionRef.current.selectionLength ?? input.value.length);
  }, []);
  return (
    <DialogForm title={title} form={form} submitLabel={submitLabel}>
      <FormField {...field} label={label} help={help} autoComplete="off" />
    </DialogForm>
  );
}
