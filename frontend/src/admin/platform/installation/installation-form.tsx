import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { SettingField } from '../../../shared/installation/setting-field';
import {
  toInstallationChanges,
  settingSections,
  toFormValues,
  type InstallationValues,
} from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SectionCard } from '../../../shared/ui/section-card';
import { SubmitButton } from '../../../shared/ui/submit-button';

type InstallationState = Schema<'InstallationDto'>;

/** All settings in one form; values set by environment variables are read-only. */
export function InstallationForm({ installation: { settings, needsStart } }: { installation: InstallationState }) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const saveInstallation = useSaveInstallation();
  const form = useForm<InstallationValues>({
    initial: toFormValues(settings),
    submit: async (values) => {
      const changes = toInstallationChanges(settings, values);
      if (Object.keys(changes).length === 0) return values;
      const saved = await saveInstallation.mutateAsync(changes);
      toast.success(t('saved'));
      return toFormValues(saved.settings);
    },
    onFailure: (error) => toast.error(t('saveFailed'), errorText(error)),
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <Box component="form" {...form.formProps} sx={{ display: 'grid', gap: 4, maxWidth: 720 }}>
      {needsStart && <Alert severity="info">{t('needsStart')}</Alert>}
      {settingSections.map(({ name, keys }) => (
        <SectionCard key={name} title={t(`parts.${name}`)} text={t(`partTexts.${name}`)}>
          <Box sx={{ display: 'grid', gap: 4 }}>
            {settings
              .filter(({ key }) => (keys as readonly string[]).includes(key))
              .map((setting) => (
                <SettingField key={setting.key} setting={setting} form={form} />
              ))}
          </Box>
        </SectionCard>
      ))}
      <Box>
        <SubmitButton isSubmitting={form.isSubmitting} disabled={!form.hasChanges}>
          {t('save')}
        </SubmitButton>
      </Box>
    </Box>
  );
}
