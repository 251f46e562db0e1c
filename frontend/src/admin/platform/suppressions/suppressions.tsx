import UnsubscribeRounded from '@mui/icons-material/UnsubscribeRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { ActionButton } from '../../ui/action-button';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { SelectColumn } from '../../ui/list/selection';
import { BulkLiftActions, type Suppression } from './bulk-lift-actions';

const reasons = ['failed', 'complaint', 'erased'] as const;
const reasonTones: Record<Suppression['reason'], BadgeTone> = {
  failed: 'warning',
  complaint: 'danger',
  erased: 'neutral',
};

/** Addresses that get no emails. Only their hashes are stored, so the search needs a complete address. */
export function Suppressions() {
  const { t } = useTranslation('admin');
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary" sx={{ maxWidth: '72ch' }}>
        {t('suppressions.about')}
      </Typography>
      <List<Suppression>
        resource="suppressions"
        label={t('suppressions.list')}
        errorTitle={t('suppressions.failed')}
        empty={{ icon: <UnsubscribeRounded />, title: t('suppressions.empty'), text: t('suppressions.emptyText') }}
        filters={<SuppressionFilters />}
        bulkActions={<BulkLiftActions />}
      >
        <SelectColumn<Suppression>
          selectAllLabel={t('suppressions.chooseAll')}
          getLabel={({ id }) => t('suppressions.choose', { id })}
          isSelectable={({ canLift }) => canLift}
        />
        <Column<Suppression>
          source="ownerEmail"
          disableSort
          label={t('suppressions.scope')}
          inCard="title"
          render={({ ownerId, ownerEmail }) => (ownerId === null ? t('suppressions.everybody') : ownerEmail)}
        />
        <Column<Suppression>
          source="reason"
          disableSort
          label={t('suppressions.reason')}
          inCard="badge"
          render={(row) => <ReasonBadge row={row} />}
        />
        <DateColumn<Suppression> source="createdAt" label={t('suppressions.since')} showTime />
        <Column<Suppression>
          label={t('list.actions')}
          align="right"
          inCard="action"
          render={(row) => <LiftButton row={row} />}
        />
      </List>
    </Box>
  );
}

function SuppressionFilters() {
  const { t } = useTranslation('admin');
  return (
    <>
      <SearchFilter label={t('suppressions.search')} />
      <SelectFilter
        source="reason"
        label={t('suppressions.reason')}
        emptyText={t('suppressions.anyReason')}
        choices={reasons.map((value) => ({ value, label: t(`suppressions.reasons.${value}`) }))}
      />
    </>
  );
}

function ReasonBadge({ row: { reason } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  return <Badge tone={reasonTones[reason]}>{t(`suppressions.reasons.${reason}`)}</Badge>;
}

function LiftButton({ row: { id, canLift } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  if (!canLift) return null;
  return (
    <ActionButton
      resource="suppressions"
      label={t('suppressions.lift')}
      size="small"
      call={() => api.DELETE('/api/admin/suppressions/{id}', { params: { path: { id } } })}
      successMessage={() => t('suppressions.lifted')}
      errorTitle={t('suppressions.liftFailed')}
    />
  );
}
