import UnsubscribeRounded from '@mui/icons-material/UnsubscribeRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { AdminList } from '../../ui/admin-list';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
import { useChange } from '../../ui/use-change';
import { ChooseAll, ChooseOne, LiftMany, type Suppression } from './lift-many';

const reasons = ['failed', 'complaint', 'erased'] as const;
const tones: Record<Suppression['reason'], BadgeTone> = { failed: 'warning', complaint: 'danger', erased: 'neutral' };

/** Addresses that get no mail. Only their digests are known, so an address is looked for as a whole. */
export function Suppressions() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const scope = ({ ownerId, ownerEmail }: Suppression) =>
    ownerId === null ? t('suppressions.everybody') : (ownerEmail ?? t('list.none'));
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary" sx={{ maxWidth: '72ch' }}>
        {t('suppressions.about')}
      </Typography>
      <AdminList<Suppression>
        resource="suppressions"
        label={t('suppressions.list')}
        failed={t('suppressions.failed')}
        empty={{ icon: <UnsubscribeRounded />, title: t('suppressions.empty'), text: t('suppressions.emptyText') }}
        filters={
          <>
            <Filters />
            <LiftMany />
          </>
        }
        card={(row) => (
          <RowCard
            title={scope(row)}
            badge={<Reason row={row} />}
            lines={[format.dateTime(row.createdAt)]}
            action={
              <>
                <ChooseOne row={row} />
                <Lift row={row} />
              </>
            }
          />
        )}
      >
        <DataTable.Col<Suppression> disableSort label={<ChooseAll />} render={(row) => <ChooseOne row={row} />} />
        <DataTable.Col<Suppression> source="ownerEmail" disableSort label={t('suppressions.scope')} render={scope} />
        <DataTable.Col<Suppression>
          source="reason"
          disableSort
          label={t('suppressions.reason')}
          render={(row) => <Reason row={row} />}
        />
        <DataTable.Col<Suppression>
          source="createdAt"
          label={t('suppressions.since')}
          render={({ createdAt }) => format.dateTime(createdAt)}
        />
        <DataTable.Col<Suppression> label={t('list.actions')} align="right" render={(row) => <Lift row={row} />} />
      </AdminList>
    </Box>
  );
}

function Filters() {
  const { t } = useTranslation('admin');
  return (
    <ListFilters
      search={t('suppressions.search')}
      choices={[
        {
          name: 'reason',
          label: t('suppressions.reason'),
          any: t('suppressions.anyReason'),
          options: reasons.map((value) => ({ value, label: t(`suppressions.reasons.${value}`) })),
        },
      ]}
      file={{ path: '/api/admin/suppressions/export', label: t('list.export') }}
    />
  );
}

function Reason({ row: { reason } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  return <Badge tone={tones[reason]}>{t(`suppressions.reasons.${reason}`)}</Badge>;
}

function Lift({ row: { id, canLift } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  const lift = useChange<void, unknown>({
    resource: 'suppressions',
    call: () => api.DELETE('/api/admin/suppressions/{id}', { params: { path: { id } } }),
    done: () => t('suppressions.lifted'),
    failed: t('suppressions.liftFailed'),
  });
  if (!canLift) return null;
  return (
    <Button size="small" loading={lift.isPending} onClick={() => lift.mutate()}>
      {t('suppressions.lift')}
    </Button>
  );
}
