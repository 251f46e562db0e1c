import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useUnsaved } from '../../../shared/forms/unsaved';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { usageKey } from '../../../shared/api/query-client';
import { subscriptionKey } from '../../../shared/plan/use-subscription';
import { rememberSells } from '../../../shared/site/use-sells';
import { SectionCard } from '../../../shared/ui/section-card';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { SettingField } from './setting-field';
import { changesOf, parts, valuesOf, type Values } from './settings';

type InstallationState = Schema<'InstallationDto'>;

/** Keeps what the server says after a change in the place of what it said before. */
function useSave() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'ChangeInstallationDto'>) => {
      const { data } = await api.PATCH('/api/admin/installation', { body });
      return data!;
    },
    onSuccess: (state) => {
      queries.setQueryData($api.queryOptions('get', '/api/admin/installation', {}).queryKey, state);
      rememberSells(
        queries,
        state.settings.every(({ key, value }) => key !== 'purpose' || value !== 'own'),
      );
      for (const queryKey of [subscriptionKey, usageKey]) void queries.invalidateQueries({ queryKey });
    },
  });
}

/** All that can be set, in one form; what a variable says is only shown. */
export function InstallationForm({ installation: { settings, needsStart } }: { installation: InstallationState }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const save = useSave();
  const form = useForm<Values>({
    initial: valuesOf(settings),
    submit: async (values) => {
      const changes = changesOf(settings, values);
      if (Object.keys(changes).length === 0) return values;
      const saved = await save.mutateAsync(changes);
      toast.success(t('installation.saved'));
      return valuesOf(saved.settings);
    },
    onFailure: (error) => toast.error(t('installation.saveFailed'), errorText(error)),
  });
  useUnsaved(form.isUnsaved);
  return (
    <Box component="form" {...form.formProps} sx={{ display: 'grid', gap: 4, maxWidth: 720 }}>
      {needsStart && <Alert severity="info">{t('installation.needsStart')}</Alert>}
      {parts.map(({ name, keys }) => (
        <SectionCard key={name} title={t(`installation.parts.${name}`)} text={t(`installation.partTexts.${name}`)}>
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
          {t('installation.save')}
        </SubmitButton>
      </Box>
    </Box>
  );
}
