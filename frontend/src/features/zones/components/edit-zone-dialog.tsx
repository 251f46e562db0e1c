import { useTranslation } from 'react-i18next';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import type { Zone } from '../sort-zones';
import { useZoneTexts } from '../use-zone-texts';
import type { EditedField } from './zone-menu';
import { ZoneTextsFields } from './zone-texts-fields';

export interface EditedZone {
  zone: Zone;
  /** Which field one came for; it has the focus. */
  field: EditedField;
}

/** Asks for another name or description of a zone. */
export function EditZoneDialog({ edited, onClose }: { edited: EditedZone | null; onClose: () => void }) {
  return (
    <FormDialog open={edited !== null} onClose={onClose}>
      {edited && <EditZoneForm {...edited} onClose={onClose} />}
    </FormDialog>
  );
}

function EditZoneForm({ zone, field, onClose }: EditedZone & { onClose: () => void }) {
  const { t } = useTranslation('zones');
  const texts = useZoneTexts(zone, onClose, { isDialog: true });
  const { form, clash } = texts;
  return (
    <DialogForm
      title={t('edit.title')}
      form={form}
      submit={t('edit.submit')}
      disabled={!form.values.name.trim() || clash !== null}
    >
      <ZoneTextsFields texts={texts} focus={field} />
    </DialogForm>
  );
}
