import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useMappingChanges } from './use-mappings';
import { ZonePicker, type ZoneChoice } from './zone-picker';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Lets a product of the shop open a zone. */
export function AddMappingDialog({ open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <MappingForm onClose={onClose} />
    </FormDialog>
  );
}

function MappingForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const { add } = useMappingChanges();
  const [zone, setZone] = useState<ZoneChoice | null>(null);
  const missing = (value: string) => (value.trim() === '' ? t('mappings.fillAll') : undefined);
  const form = useForm({
    // The zone is chosen anew: only its number is in the form.
    keep: { as: 'admin.new-mapping', fields: ['productId', 'productName'] },
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
    <DialogForm title={t('mappings.add')} form={form} submit={t('mappings.add')}>
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
    </DialogForm>
  );
}
