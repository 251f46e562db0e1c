import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useUpdateZone } from '../api/use-change-zone';
import type { Zone } from '../sort-zones';

/** Name and description of a zone, to be changed in place. */
export function ZoneTextsForm({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const errorText = useErrorText();
  const update = useUpdateZone(zone.id);
  const form = useForm({
    initial: { name: zone.name, description: zone.description },
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: async ({ name, description }) => {
      await update.mutateAsync({ name: name.trim(), description: description.trim() });
      toast.success(t('edit.done'));
    },
    onFailure: (error) => toast.error(t('edit.failed'), errorText(error)),
  });
  const { name, description } = form.values;
  const unchanged = name.trim() === zone.name && description.trim() === zone.description;
  return (
    <form {...form.formProps}>
      <Stack spacing={5}>
        <FormField {...form.field('name')} label={t('form.name')} maxLength={255} autoComplete="off" />
        <FormField {...form.field('description')} label={t('form.description')} maxLength={5000} rows={3} optional />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
          <Typography variant="body2" color="textSecondary">
            {t('settings.createdOn', { date: format.date(zone.createdAt) })}
          </Typography>
          <SubmitButton sending={form.sending} disabled={unchanged}>
            {t('edit.submit')}
          </SubmitButton>
        </Box>
      </Stack>
    </form>
  );
}
