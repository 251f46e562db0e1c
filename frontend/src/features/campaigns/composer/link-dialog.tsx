import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../../../shared/hooks/use-form';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';

interface Props {
  open: boolean;
  /** The present one; empty when there is none. */
  address: string;
  onSet: (address: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks where the chosen text leads. */
export function LinkDialog({ open, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth disableRestoreFocus>
      {open && <LinkForm id={id} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

const fits = (address: string) =>
  /^(mailto:|tel:|\{\{\s*(zone_url|unsubscribe_url)\s*\}\}$)/i.test(address) ||
  (/^https?:\/\//i.test(address) && URL.canParse(address));

function LinkForm({ id, address, onSet, onRemove, onClose }: Omit<Props, 'open'> & { id: string }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const form = useForm({
    initial: { address: address || 'https://' },
    validate: (values) => ({ address: fits(values.address.trim()) ? undefined : t('editor.linkInvalid') }),
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
    <form {...form.formProps}>
      <DialogTitle id={id}>{t('editor.linkTitle')}</DialogTitle>
      <DialogContent>
        <FormField {...form.field('address')} label={t('editor.linkAddress')} autoComplete="off" autoFocus />
      </DialogContent>
      <DialogActions>
        {address && <Button onClick={remove}>{t('editor.linkRemove')}</Button>}
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('editor.linkSet')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
