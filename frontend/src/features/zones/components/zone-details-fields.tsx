import { useTranslation } from 'react-i18next';
import { EditConflictNotice } from '../../../shared/forms/edit-conflict-notice';
import { FormField } from '../../../shared/ui/fields/form-field';
import type { useZoneDetailsForm } from '../use-zone-details-form';
import type { EditedField } from './zone-menu';

interface Props {
  details: ReturnType<typeof useZoneDetailsForm>;
  /** Which field has the focus at first. */
  autoFocusField?: EditedField;
}

/** The fields for name and description of a zone, and the choice when both were changed elsewhere. */
export function ZoneDetailsFields({ details: { form, conflict }, autoFocusField }: Props) {
  const { t } = useTranslation('zones');
  return (
    <>
      {conflict && (
        <EditConflictNotice
          fields={conflict.fields.map((name) => ({
            label: t(`form.${name}`),
            remoteValue: conflict.remoteValues[name],
          }))}
          isSaving={conflict.isSaving}
          onUseRemote={conflict.takeTheirs}
          onKeepLocal={() => void conflict.keepMine()}
        />
      )}
      <FormField
        {...form.field('name')}
        label={t('form.name')}
        maxLength={255}
        autoComplete="off"
        autoFocus={autoFocusField === 'name'}
      />
      <FormField
        {...form.field('description')}
        label={t('form.description')}
        maxLength={5000}
        rows={3}
        optional
        autoFocus={autoFocusField === 'description'}
      />
    </>
  );
}
