import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { SectionCard } from '../../../shared/ui/section-card';
import { useUpdateZone, ZoneConflictError } from '../api/use-zone-mutations';
import type { Zone } from '../sort-zones';

/** What the zone's links show before someone has joined. Saved immediately. */
export function VisitorsSection({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone();
  const pendingValue = update.isPending ? update.variables.changes.showFiles : undefined;
  const save = (showFiles: boolean) => {
    update.mutate(
      { baseZone: zone, changes: { showFiles } },
      {
        onSuccess: () => toast.success(t('edit.done')),
        onError: (error) => {
          if (error instanceof ZoneConflictError) toast.error(common('form.changedTitle'));
          else toast.error(t('edit.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <SectionCard title={t('settings.visitors')} text={t('settings.visitorsText')}>
      <FormControlLabel
        control={
          <Checkbox
            checked={pendingValue ?? zone.showFiles}
            disabled={update.isPending}
            onChange={(event) => save(event.target.checked)}
          />
        }
        label={t('settings.showFiles')}
      />
    </SectionCard>
  );
}
