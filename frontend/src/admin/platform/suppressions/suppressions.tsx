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
import { useAdminMutation } from '../../ui/use-admin-mutation';
import {
  SelectAllSuppressionsCheckbox,
  SelectSuppressionCheckbox,
  BulkLiftActions,
  type Suppression,
} from './bulk-lift-actions';

const reasons = ['failed', 'complaint', 'erased'] as const;
const reasonTones: Record<Suppression['reason'], BadgeTone> = {
  failed: 'warning',
  complaint: 'danger',
  erased: 'neutral',
};

/** Addresses that get no emails. Only their hashes are stored, so the search needs a complete address. */
export function Suppressions() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const formatScope = ({ ownerId, ownerEmail }: Suppression) =>
    ownerId === null ? t('suppressions.everybody') : (ownerEmail ?? t('list.none'));
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary" sx={{ maxWidth: '72ch' }}>
        {t('suppressions.about')}
      </Typography>
      <AdminList<Suppression>
        resource="suppressions"
        label={t('suppressions.list')}
        errorTitle={t('suppressions.failed')}
        empty={{ icon: <UnsubscribeRounded />, title: t('suppressions.empty'), text: t('suppressions.emptyText') }}
        filters={
          <>
            <SuppressionFilters />
            <BulkLiftActions />
          </>
        }
        renderCard={(row) => (
          <RowCard
            title={formatScope(row)}
            badge={<ReasonBadge row={row} />}
            lines={[format.dateTime(row.createdAt)]}
            action={
              <>
                <SelectSuppressionCheckbox row={row} />
                <LiftButton row={row} />
              </>
            }
          />
        )}
      >
        <DataTable.Col<Suppression>
          disableSort
          label={<SelectAllSuppressionsCheckbox />}
          render={(row) => <SelectSuppressionCheckbox row={row} />}
        />
        <DataTable.Col<Suppression>
          source="ownerEmail"
          disableSort
          label={t('suppressions.scope')}
          render={formatScope}
        />
        <DataTable.Col<Suppression>
          source="reason"
          disableSort
          label={t('suppressions.reason')}
          render={(row) => <ReasonBadge row={row} />}
        />
        <DataTable.Col<Suppression>
          source="createdAt"
          label={t('suppressions.since')}
          render={({ createdAt }) => format.dateTime(createdAt)}
        />
        <DataTable.Col<Suppression>
          label={t('list.actions')}
          align="right"
          render={(row) => <LiftButton row={row} />}
        />
      </AdminList>
    </Box>
  );
}

function SuppressionFilters() {
  const { t } = useTranslation('admin');
  return (
    <ListFilters
      searchLabel={t('suppressions.search')}
      selects={[
        {
          name: 'reason',
          label: t('suppressions.reason'),
          anyLabel: t('suppressions.anyReason'),
          options: reasons.map((value) => ({ value, label: t(`suppressions.reasons.${value}`) })),
        },
      ]}
      exportFile={{ path: '/api/admin/suppressions/export', label: t('list.export') }}
    />
  );
}

function ReasonBadge({ row: { reason } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  return <Badge tone={reasonTones[reason]}>{t(`suppressions.reasons.${reason}`)}</Badge>;
}

function LiftButton({ row: { id, canLift } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  const liftSuppression = useAdminMutation<void, unknown>({
    resource: 'suppressions',
    call: () => api.DELETE('/api/admin/suppressions/{id}', { params: { path: { id } } }),
    successMessage: () => t('suppressions.lifted'),
    errorTitle: t('suppressions.liftFailed'),
  });
  if (!canLift) return null;
  return (
    <Button size="small" loading={liftSuppression.isPending} onClick={() => liftSuppression.mutate()}>
      {t('suppressions.lift')}
    </Button>
  );
}
