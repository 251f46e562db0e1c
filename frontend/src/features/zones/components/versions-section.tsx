import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SectionCard } from '../../../shared/ui/section-card';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useUpdateZone, ZoneConflictError } from '../api/use-zone-mutations';
import type { Zone } from '../sort-zones';

/** How many earlier versions of each file are kept, and for how long. */
export function VersionsSection({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone();
  const form = useForm({
    initial: { versionsKept: String(zone.versionsKept), versionsDays: String(zone.versionsDays ?? '') },
    validate: ({ versionsKept, versionsDays }) => ({
      ...(isWhole(versionsKept, 0, 100) ? {} : { versionsKept: t('settings.versionsKeptRule') }),
      ...(versionsDays.trim() === '' || isWhole(versionsDays, 1, 3650)
        ? {}
        : { versionsDays: t('settings.versionsDaysRule') }),
    }),
    submit: async ({ versionsKept, versionsDays }) => {
      const days = versionsDays.trim();
      const changes = { versionsKept: Number(versionsKept), versionsDays: days === '' ? null : Number(days) };
      const saved = await update.mutateAsync({ baseZone: zone, changes });
      toast.success(t('edit.done'));
      return { versionsKept: String(saved.versionsKept), versionsDays: String(saved.versionsDays ?? '') };
    },
    onFailure: (error) => {
      if (error instanceof ZoneConflictError) toast.error(common('form.changedTitle'));
      else toast.error(t('edit.failed'), errorText(error));
    },
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <SectionCard title={t('settings.versions')} text={t('settings.versionsText')}>
      <form {...form.formProps}>
        <Box
          sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 4, '& > *': { flex: '1 1 240px' } }}
        >
          <FormField {...form.field('versionsKept')} label={t('settings.versionsKept')} inputMode="numeric" />
          <FormField
            {...form.field('versionsDays')}
            label={t('settings.versionsDays')}
            help={t('settings.versionsDaysHelp')}
            inputMode="numeric"
          />
        </Box>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', mt: 4 }}>
          <SubmitButton isSubmitting={form.isSubmitting} disabled={!form.hasChanges}>
            {t('settings.saveVersions')}
          </SubmitButton>
        </Box>
      </form>
    </SectionCard>
  );
}

const isWhole = (text: string, min: number, max: number) =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
