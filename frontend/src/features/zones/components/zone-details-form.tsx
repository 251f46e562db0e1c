import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import type { Zone } from '../sort-zones';
import { useZoneDetailsForm } from '../use-zone-details-form';
import { ZoneDetailsFields } from './zone-details-fields';

/** Inline form for a zone's name and description. */
export function ZoneDetailsForm({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const details = useZoneDetailsForm(zone, () => toast.success(t('edit.done')));
  const { form, conflict } = details;
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <form {...form.formProps}>
      <Stack spacing={5}>
        <ZoneDetailsFields details={details} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
          <Typography variant="body2" color="textSecondary">
            {t('settings.createdOn', { date: format.date(zone.createdAt) })}
          </Typography>
          <SubmitButton isSubmitting={form.isSubmitting} disabled={!form.hasChanges || conflict !== null}>
            {t('edit.submit')}
          </SubmitButton>
        </Box>
      </Stack>
    </form>
  );
}
