import { useTranslation } from 'react-i18next';
import { ChangedElsewhere } from '../../../shared/forms/changed-elsewhere';
import { FormField } from '../../../shared/ui/fields/form-field';
import type { useZoneTexts } from '../use-zone-texts';
import type { EditedField } from './zone-menu';

interface Props {
  texts: ReturnType<typeof useZoneTexts>;
  /** Which field has the focus at first. */
  focus?: EditedField;
}

/** The fields for name and description of a zone, and the choice when both were changed elsewhere. */
export function ZoneTextsFields({ texts: { form, clash }, focus }: Props) {
  const { t } = useTranslation('zones');
  return (
    <>
      {clash && (
        <ChangedElsewhere
          fields={clash.fields.map((name) => ({ label: t(`form.${name}`), theirs: clash.theirs[name] }))}
          isSaving={clash.isSaving}
          onTakeTheirs={clash.takeTheirs}
          onKeepMine={() => void clash.keepMine()}
        />
      )}
      <FormField
        {...form.field('name')}
        label={t('form.name')}
        maxLength={255}
        autoComplete="off"
        autoFocus={focus === 'name'}
      />
      <FormField
        {...form.field('description')}
        label={t('form.description')}
        maxLength={5000}
        rows={3}
        optional
        autoFocus={focus === 'description'}
      />
    </>
  );
}
