import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { PageHeader } from '../../../shared/ui/page-header';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { NewZoneFields } from '../../../shared/zone/new-zone-fields';
import { useCreateFirstZone, useFirstZoneDefaults } from '../../../shared/zone/use-create-first-zone';

/** First step for users without a zone: a campaign needs a zone whose members receive it. */
export function CreateFirstZone() {
  const { t } = useTranslation('campaigns');
  const { t: tNewZone } = useTranslation('newZone');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const createFirstZone = useCreateFirstZone();
  const form = useForm({
    initial: useFirstZoneDefaults(),
    validate: ({ name }) => (name.trim() ? {} : { name: tNewZone('nameRequired') }),
    submit: async (values) => {
      const { id } = await createFirstZone(values);
      await navigate(`/campaigns/new?zone=${id}`, { replace: true });
    },
    onFailure: (error) => toast.error(tNewZone('failed'), errorText(error)),
  });
  return (
    <>
      <PageHeader title={t('compose.newTitle')} back={{ to: '/campaigns', label: t('compose.back') }} />
      <Card sx={{ maxWidth: 'sm', p: 6 }}>
        <form {...form.formProps}>
          <Stack spacing={5}>
            <NewZoneFields
              name={form.field('name')}
              type={form.values.type}
              onTypeChange={(type) => form.set('type', type)}
            />
            <Box>
              <SubmitButton isSubmitting={form.isSubmitting}>{t('compose.createAndWrite')}</SubmitButton>
            </Box>
          </Stack>
        </form>
      </Card>
    </>
  );
}
