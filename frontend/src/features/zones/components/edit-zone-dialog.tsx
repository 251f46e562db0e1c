import { useTranslation } from 'react-i18next';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import type { Zone } from '../sort-zones';
import { useZoneDetailsForm } from '../use-zone-details-form';
import type { EditedField } from './zone-menu';
import { ZoneDetailsFields } from './zone-details-fields';

export interface EditedZone {
  zone: Zone;
  /** The field that gets the focus. */
  field: EditedField;
}

/** Changes a zone's name or description. */
export function EditZoneDialog({ edited, onClose }: { edited: EditedZone | null; onClose: () => void }) {
  return (
    <FormDialog open={edited !== null} onClose={onClose}>
      {edited && <EditZoneForm {...edited} onClose={onClose} />}
    </FormDialog>
  );
}

function EditZoneForm({ zone, field, onClose }: EditedZone & { onClose: () => void }) {
  const { t } = useTranslation('zones');
  const details = useZoneDetailsForm(zone, onClose, { isDialog: true });
  const { form, conflict } = details;
  return (
    <DialogForm
      title={t('edit.title')}
      form={form}
      submitLabel={t('edit.submit')}
      disabled={!form.values.name.trim() || conflict !== null}
    >
      <ZoneDetailsFields details={details} autoFocusField={field} />
    </DialogForm>
  );
}
