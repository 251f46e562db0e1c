import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useMappingChanges } from './use-mappings';
import { ZonePicker, type ZoneChoice } from './zone-picker';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Lets a product of the shop open a zone. */
export function AddMappingDialog({ open, onClose }: Props) {
  const { t } = useTranslation('integrations');
  const titleId = useId();
  return (
    <Dialog open={open} onClose={onClose} maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('mappings.add')}</DialogTitle>
      {open && <MappingForm onClose={onClose} />}
    </Dialog>
  );
}

function MappingForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('integrations');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const { add } = useMappingChanges();
  const [zone, setZone] = useState<ZoneChoice | null>(null);
  const missing = (value: string) => (value.trim() === '' ? t('mappings.fillAll') : undefined);
  const form = useForm({
    initial: { productId: '', productName: '', zoneId: '' },
    validate: ({ productId, productName }) => ({
      productId: missing(productId),
      productName: missing(productName),
      zoneId: zone ? undefined : t('mappings.fillAll'),
    }),
    submit: async ({ productId, productName }) => {
      await add({ productId: productId.trim(), productName: productName.trim(), zoneId: zone!.id });
      toast.success(t('mappings.created'));
      onClose();
    },
    onFailure: (error) => toast.error(t('mappings.createFailed'), errorText(error)),
  });
  const zoneField = form.field('zoneId');
  const choose = (chosen: ZoneChoice | null) => {
    setZone(chosen);
    form.set('zoneId', chosen ? String(chosen.id) : '');
  };
  return (
    <form {...form.formProps}>
      <DialogContent>
        <Stack spacing={5}>
          <FormField
            {...form.field('productId')}
            label={t('mappings.productId')}
            help={t('mappings.productIdHelp')}
            maxLength={64}
            autoComplete="off"
            autoFocus
          />
          <FormField
            {...form.field('productName')}
            label={t('mappings.productName')}
            help={t('mappings.productNameHelp')}
            maxLength={255}
            autoComplete="off"
          />
          <ZonePicker id={zoneField.id} error={zoneField.error} value={zone} onChange={choose} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('mappings.add')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
