import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { SettingField } from '../../../shared/installation/setting-field';
import { changesOf, valuesOf, type Setting, type Values } from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { SetupCard } from './setup-card';

export interface InstallationStepProps {
  installation: Schema<'InstallationDto'>;
  at: number;
  count: number;
}

const asked = ['purpose', 'name', 'address'] as const;

/** What is proposed of what nobody has set: an audience of one's own, at the address that this page came from. */
function proposed(settings: readonly Setting[]): Values {
  const values = valuesOf(settings);
  for (const { key, source } of settings) {
    if (source !== 'default') continue;
    if (key === 'purpose') values.purpose = 'own';
    if (key === 'address') values.address = window.location.origin;
  }
  return values;
}

/** What is to be set: an address that holds anyhow is no setting, and follows the port. */
function chosen(settings: readonly Setting[], values: Values): Schema<'ChangeInstallationDto'> {
  const { address, ...changes } = changesOf(settings, values);
  const holds = settings.some(
    ({ key, value, source }) => key === 'address' && source === 'default' && value === address,
  );
  return holds || address === undefined ? changes : { ...changes, address };
}

/** What the installation is for, what it is called and where it is. */
export function PurposeStep({ installation: { settings }, at, count }: InstallationStepProps) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const onFailure = (error: unknown) => toast.error(t('failed'), errorText(error));
  const form = useForm<Values>({
    initial: proposed(settings),
    submit: async (values) => {
      await save.mutateAsync({ ...chosen(settings, values), finishedStep: 'purpose' });
    },
    onFailure,
  });
  const skip = () => save.mutate({ finishedStep: 'purpose' }, { onError: onFailure });
  return (
    <SetupCard title={t('purpose.title')} text={t('purpose.text')} at={at} count={count}>
      <Stack component="form" spacing={4} {...form.formProps}>
        {asked.map((key) => (
          <SettingField key={key} setting={settings.find((setting) => setting.key === key)!} form={form} />
        ))}
        <Typography variant="body2" color="textSecondary">
          {t('purpose.later')}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          <SubmitButton sending={form.sending}>{t('continue')}</SubmitButton>
          <Button onClick={skip} disabled={save.isPending}>
            {t('skip')}
          </Button>
        </Box>
      </Stack>
    </SetupCard>
  );
}
