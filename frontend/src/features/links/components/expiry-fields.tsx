import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SelectField } from '../../../shared/ui/fields/select-field';
import { dateInTimeZone, toDurationUnit, durations, offsets } from '../link-time';
import { CUSTOM_EXPIRY, KEEP_EXPIRY, NO_EXPIRY, type EditableLink, type LinkFieldsForm } from '../link-fields';

interface Props {
  form: LinkFieldsForm;
  /** The link to edit; undefined for a new one. */
  link: EditableLink | undefined;
  /** Offers links that never expire. */
  canBeEndless: boolean;
}

/** When a link expires: after a duration, or at a date and time in a time zone. */
export function ExpiryFields({ form, link, canBeEndless }: Props) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const now = useNow();
  return (
    <>
      <SelectField
        {...form.field('duration')}
        label={t('form.duration')}
        onChange={(duration) => form.set('duration', duration)}
      >
        {link?.expiresAt != null && (
          <option value={KEEP_EXPIRY}>{t('form.keep', { date: format.dateTime(link.expiresAt) })}</option>
        )}
        {canBeEndless && <option value={NO_EXPIRY}>{t('form.never')}</option>}
        {durations.map((hours) => {
          const { unit, count } = toDurationUnit(hours);
          return (
            <option key={hours} value={String(hours)}>
              {t(`form.${unit}`, { count })}
            </option>
          );
        })}
        <option value={CUSTOM_EXPIRY}>{t('form.custom')}</option>
      </SelectField>
      {form.values.duration === CUSTOM_EXPIRY && (
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr 1fr', sm: '2fr 1fr 1fr' } }}>
          <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
            <FormField {...form.field('date')} label={t('form.date')} type="date" min={dateInTimeZone(now, 'UTC')} />
          </Box>
          <FormField {...form.field('time')} label={t('form.time')} type="time" />
          <SelectField
            {...form.field('offset')}
            label={t('form.offset')}
            onChange={(offset) => form.set('offset', offset)}
          >
            {offsets.map((offset) => (
              <option key={offset} value={offset}>{`GMT${offset}`}</option>
            ))}
          </SelectField>
        </Box>
      )}
    </>
  );
}
