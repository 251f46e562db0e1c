import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { DefinitionList } from '../../ui/definition-list';
import { QuarantinedObjects } from './quarantined-objects';

type StorageState = Schema<'StorageStateDto'>;

type Comparison = NonNullable<StorageState['comparison']>;

function resultKey({ stopped, strays, missing }: Comparison) {
  if (stopped) return 'stopped';
  return strays === 0 && missing === 0 ? 'matches' : 'done';
}

/** Free disk space, the result of the weekly storage check, and what it quarantined. */
export function StorageCard({ storage }: { storage: StorageState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { state, freeBytes, reserveBytes, comparison } = storage;
  const formatSize = (bytes: number | null) => (bytes === null ? null : format.size(bytes));
  return (
    <SectionCard title={t('system.files.title')} text={t('system.files.text')}>
      <DefinitionList
        label={t('system.files.title')}
        items={[
          [
            t('system.files.state'),
            <Badge key="state" tone={state === 'own' ? 'success' : 'danger'}>
              {t(`system.files.states.${state}`)}
            </Badge>,
          ],
          [t('system.files.free'), formatSize(freeBytes)],
          [t('system.files.reserve'), formatSize(reserveBytes)],
          [t('system.files.compared'), comparison && format.dateTime(comparison.at)],
        ]}
      />
      {comparison && (
        <Typography color={comparison.stopped ? 'error' : 'textSecondary'} sx={{ mt: 2 }}>
          {t(`system.files.${resultKey(comparison)}`, {
            objects: format.number(comparison.objects),
            strays: format.number(comparison.strays),
            missing: format.number(comparison.missing),
          })}
        </Typography>
      )}
      <QuarantinedObjects />
    </SectionCard>
  );
}
