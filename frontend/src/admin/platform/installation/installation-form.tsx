import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useUnsaved } from '../../../shared/forms/unsaved';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { SettingField } from '../../../shared/installation/setting-field';
import { changesOf, parts, valuesOf, type Values } from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SectionCard } from '../../../shared/ui/section-card';
import { SubmitButton } from '../../../shared/ui/submit-button';

type InstallationState = Schema<'InstallationDto'>;

/** All that can be set, in one form; what a variable says is only shown. */
export function InstallationForm({ installation: { settings, needsStart } }: { installation: InstallationState }) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const form = useForm<Values>({
    initial: valuesOf(settings),
    submit: async (values) => {
      const changes = changesOf(settings, values);
      if (Object.keys(changes).length === 0) return values;
      const saved = await save.mutateAsync(changes);
      toast.success(t('saved'));
      return valuesOf(saved.settings);
    },
    onFailure: (error) => toast.error(t('saveFailed'), errorText(error)),
  });
  useUnsaved(form.isUnsaved);
  return (
    <Box component="form" {...form.formProps} sx={{ display: 'grid', gap: 4, maxWidth: 720 }}>
      {needsStart && <Alert severity="info">{t('needsStart')}</Alert>}
      {parts.map(({ name, keys }) => (
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
        <SubmitButton sending={form.sending} disabled={!form.changed}>
          {t('save')}
        </SubmitButton>
      </Box>
    </Box>
  );
}
