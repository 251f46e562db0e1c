import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { SettingField } from '../../../shared/installation/setting-field';
import {
  toInstallationChanges,
  toFormValues,
  type Setting,
  type InstallationValues,
} from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { SetupCard } from './setup-card';

export interface InstallationStepProps {
  installation: Schema<'InstallationDto'>;
  stepNumber: number;
  stepCount: number;
}

const settingKeys = ['purpose', 'name', 'address'] as const;

/** Suggests values for unset settings: use for the user's own audience, and the URL this page was loaded from. */
function withSuggestedDefaults(settings: readonly Setting[]): InstallationValues {
  const values = toFormValues(settings);
  for (const { key, source } of settings) {
    if (source !== 'default') continue;
    if (key === 'purpose') values.purpose = 'own';
    if (key === 'address') values.address = window.location.origin;
  }
  return values;
}

/** Returns the settings to save: the URL that applies by default isn't saved, so that it keeps following the port. */
function toChanges(settings: readonly Setting[], values: InstallationValues): Schema<'ChangeInstallationDto'> {
  const { address, ...changes } = toInstallationChanges(settings, values);
  const isUnchangedDefault = settings.some(
    ({ key, value, source }) => key === 'address' && source === 'default' && value === address,
  );
  return isUnchangedDefault || address === undefined ? changes : { ...changes, address };
}

/** What the installation is used for, its name and its URL. */
export function PurposeStep({ installation: { settings }, stepNumber, stepCount }: InstallationStepProps) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const form = useForm<InstallationValues>({
    initial: withSuggestedDefaults(settings),
    submit: async (values) => {
      await save.mutateAsync({ ...toChanges(settings, values), finishedStep: 'purpose' });
    },
    onFailure: (error) => toast.error(t('failed'), errorText(error)),
  });
  return (
    <SetupCard title={t('purpose.title')} text={t('purpose.text')} stepNumber={stepNumber} stepCount={stepCount}>
      <Stack component="form" spacing={4} {...form.formProps}>
        {settingKeys.map((key) => (
          <SettingField key={key} setting={settings.find((setting) => setting.key === key)!} form={form} />
        ))}
        <Typography variant="body2" color="textSecondary">
          {t('purpose.later')}
        </Typography>
        <Box>
          <SubmitButton isSubmitting={form.isSubmitting}>{t('continue')}</SubmitButton>
        </Box>
      </Stack>
    </SetupCard>
  );
}
