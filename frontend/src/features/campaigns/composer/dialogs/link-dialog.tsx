import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { FormField } from '../../../../shared/ui/fields/form-field';

interface Props {
  open: boolean;
  /** The current URL; empty if there is none. */
  address: string;
  onSet: (address: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks for the URL of the selected text. */
export function LinkDialog({ open, onClose, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={onClose} maxWidth="xs" disableRestoreFocus>
      <LinkForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

const isValidLinkAddress = (address: string) =>
  /^(mailto:|tel:|\{\{\s*(zone_url|unsubscribe_url)\s*\}\}$)/i.test(address) ||
  (/^https?:\/\//i.test(address) && URL.canParse(address));

function LinkForm({ address, onSet, onRemove, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('campaigns');
  const form = useForm({
    initial: { address: address || 'https://' },
    validate: (values) => ({
      address: isValidLinkAddress(values.address.trim()) ? undefined : t('editor.linkInvalid'),
    }),
    submit: (values) => {
      onClose();
      onSet(values.address.trim());
      return Promise.resolve();
    },
  });
  const remove = () => {
    onClose();
    onRemove();
  };
  return (
    <DialogForm
      title={t('editor.linkTitle')}
      form={form}
      submitLabel={t('editor.linkSet')}
      extraActions={address && <Button onClick={remove}>{t('editor.linkRemove')}</Button>}
    >
      <FormField {...form.field('address')} label={t('editor.linkAddress')} autoComplete="off" autoFocus />
    </DialogForm>
  );
}
