import { useTranslation } from 'react-i18next';
import { EditConflictNotice } from '../../../shared/forms/edit-conflict-notice';
import { FormField } from '../../../shared/ui/fields/form-field';
import type { useZoneDetailsForm } from '../use-zone-details-form';
import type { EditedField } from './zone-menu';

interface Props {
  details: ReturnType<typeof useZoneDetailsForm>;
  /** The field with the initial focus. */
  autoFocusField?: EditedField;
}

/** Name and description fields of a zone, with the choice to make if both were changed elsewhere. */
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
