import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useMappingMutations } from './use-mapping-mutations';
import { ZonePicker, type MappableZone } from './zone-picker';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Maps a product of the shop to a zone. */
export function AddMappingDialog({ open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <AddMappingForm onClose={onClose} />
    </FormDialog>
  );
}

function AddMappingForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const { add } = useMappingMutations();
  const [zone, setZone] = useState<MappableZone | null>(null);
  const validateRequired = (value: string) => (value.trim() === '' ? t('mappings.fillAll') : undefined);
  const form = useForm({
    // The draft omits the zone, because the form holds only its id.
    draft: { key: 'admin.new-mapping', fields: ['productId', 'productName'] },
    initial: { productId: '', productName: '', zoneId: '' },
    validate: ({ productId, productName }) => ({
      productId: validateRequired(productId),
      productName: validateRequired(productName),
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
  const selectZone = (selectedZone: MappableZone | null) => {
    setZone(selectedZone);
    form.set('zoneId', selectedZone ? String(selectedZone.id) : '');
  };
  return (
    <DialogForm title={t('mappings.add')} form={form} submitLabel={t('mappings.add')}>
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
      <ZonePicker id={zoneField.id} error={zoneField.error} value={zone} onChange={selectZone} />
    </DialogForm>
  );
}
