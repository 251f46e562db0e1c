import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { Facts } from '../../ui/facts';
import { useChange } from '../../ui/use-change';

type StorageState = Schema<'StorageStateDto'>;
type Quarantined = Schema<'QuarantinedObjectDto'>;

/** Room on the disk, how the weekly comparison went, and what it has put away. */
export function StorageCard({ storage }: { storage: StorageState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { state, freeBytes, reserveBytes, comparison } = storage;
  const size = (bytes: number | null) => (bytes === null ? null : format.size(bytes));
  return (
    <SectionCard title={t('system.files.title')} text={t('system.files.text')}>
      <Facts
        label={t('system.files.title')}
        facts={[
          [
            t('system.files.state'),
            <Badge key="state" tone={state === 'own' ? 'success' : 'danger'}>
              {t(`system.files.states.${state}`)}
            </Badge>,
          ],
          [t('system.files.free'), size(freeBytes)],
          [t('system.files.reserve'), size(reserveBytes)],
          [t('system.files.compared'), comparison && format.dateTime(comparison.at)],
        ]}
      />
      {comparison && (
        <Typography color={comparison.stopped ? 'error' : 'textSecondary'} sx={{ mt: 2 }}>
          {t(comparison.stopped ? 'system.files.stopped' : 'system.files.done', {
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

const SHOWN = 20;

function QuarantinedObjects() {
  const { t } = useTranslation('admin');
  const { data } = $api.useQuery('get', '/api/admin/quarantine', { params: { query: { perPage: SHOWN } } });
  if (!data || data.length === 0) return null;
  return (
    <Box sx={{ mt: 4 }}>
      <Typography variant="h4" component="h3">
        {t('system.files.quarantine')}
      </Typography>
      <Typography color="textSecondary">{t('system.files.quarantineText')}</Typography>
      <List disablePadding aria-label={t('system.files.quarantine')}>
        {data.map((row) => (
          <QuarantinedRow key={row.id} row={row} />
        ))}
      </List>
    </Box>
  );
}

function QuarantinedRow({ row }: { row: Quarantined }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const restore = useChange<void, unknown>({
    resource: 'audit-log',
    call: () => api.POST('/api/admin/quarantine/{id}/restore', { params: { path: { id: row.id } } }),
    done: () => t('system.files.restored'),
    failed: t('system.files.restoreFailed'),
  });
  return (
    <ListItem disableGutters sx={{ gap: 2, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
      <ListItemText
        primary={row.key}
        secondary={`${format.size(row.size)} · ${format.dateTime(row.foundAt)}`}
        slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
      />
      {row.canRestore && (
        <Button
          size="small"
          loading={restore.isPending}
          aria-label={t('system.files.restoreOne', { key: row.key })}
          onClick={() => restore.mutate()}
        >
          {t('system.files.restore')}
        </Button>
      )}
    </ListItem>
  );
}
