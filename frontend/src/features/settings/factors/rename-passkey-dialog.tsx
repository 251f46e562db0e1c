import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { usePasskeyMutations, type Passkey } from '../../../shared/factors/use-passkey-mutations';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';

const MAX_NAME_LENGTH = 60;

interface Props {
  open: boolean;
  passkey: Passkey;
  onClose: () => void;
}

/** Renames a passkey. */
export function RenamePasskeyDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose} maxWidth="xs">
      <RenamePasskeyForm {...rest} />
    </FormDialog>
  );
}

function RenamePasskeyForm({ passkey, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const { rename } = usePasskeyMutations();
  const form = useForm({
    initial: { name: passkey.name },
    validate: ({ name }) => (name.trim() ? {} : { name: t('passkeys.nameRequired') }),
    submit: async ({ name }) => {
      await rename.mutateAsync({ id: passkey.id, name: name.trim() });
      onClose();
    },
    onFailure: (error) => toast.error(t('passkeys.changeFailed'), errorText(error)),
  });
  return (
    <DialogForm title={t('passkeys.renameTitle')} form={form} submitLabel={t('passkeys.rename')}>
      <FormField
        {...form.field('name')}
        label={t('passkeys.name')}
        help={t('passkeys.nameHelp')}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        autoFocus
      />
    </DialogForm>
  );
}
