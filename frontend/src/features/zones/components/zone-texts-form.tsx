import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useUnsaved } from '../../../shared/forms/unsaved';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import type { Zone } from '../sort-zones';
import { useZoneTexts } from '../use-zone-texts';
import { ZoneTextsFields } from './zone-texts-fields';

/** Name and description of a zone, to be changed in place. */
export function ZoneTextsForm({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const texts = useZoneTexts(zone, () => toast.success(t('edit.done')));
  const { form, clash } = texts;
  useUnsaved(form.isUnsaved);
  return (
    <form {...form.formProps}>
      <Stack spacing={5}>
        <ZoneTextsFields texts={texts} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
          <Typography variant="body2" color="textSecondary">
            {t('settings.createdOn', { date: format.date(zone.createdAt) })}
          </Typography>
          <SubmitButton sending={form.sending} disabled={!form.changed || clash !== null}>
            {t('edit.submit')}
          </SubmitButton>
        </Box>
      </Stack>
    </form>
  );
}
