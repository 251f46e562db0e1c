import TimelineRounded from '@mui/icons-material/TimelineRounded';
import Box from '@mui/material/Box';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
import { useLogTypeLabel, useLogTypeOptions } from './use-log-type-label';

type Activity = Schema<'AdminActivityDto'>;

/** Activity in all zones, as sentences. */
export function ActivityLog() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getTypeLabel = useLogTypeLabel('happenings');
  return (
    <AdminList<Activity>
      resource="activity"
      label={t('activity.list')}
      errorTitle={t('activity.failed')}
      empty={{ icon: <TimelineRounded />, title: t('activity.empty'), text: t('activity.emptyText') }}
      filters={<ActivityFilters />}
      renderCard={({ message, userEmail, type, createdAt }) => (
        <RowCard title={message} lines={[userEmail, getTypeLabel(type), format.dateTime(createdAt)]} />
      )}
    >
      <DataTable.Col<Activity>
        source="message"
        disableSort
        label={t('activity.message')}
        render={({ message }) => (
          <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
            {message}
          </Box>
        )}
      />
      <DataTable.Col<Activity>
        source="userEmail"
        disableSort
        label={t('activity.person')}
        render={({ userEmail }) => userEmail ?? t('list.none')}
      />
      <DataTable.Col<Activity>
        source="createdAt"
        label={t('activity.date')}
        render={({ createdAt }) => (
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            {format.dateTime(createdAt)}
          </Box>
        )}
      />
      <DataTable.Col<Activity>
        source="type"
        disableSort
        label={t('activity.type')}
        render={({ type }) => getTypeLabel(type)}
      />
    </AdminList>
  );
}

function ActivityFilters() {
  const { t } = useTranslation('admin');
  const { data: types = [] } = $api.useQuery('get', '/api/admin/activity/types');
  const options = useLogTypeOptions('happenings', types);
  return (
    <ListFilters
      searchLabel={t('activity.search')}
      selects={[
        {
          name: 'type',
          label: t('activity.type'),
          anyLabel: t('activity.anyType'),
          options,
        },
      ]}
      dates={[
        { name: 'from', label: t('list.from') },
        { name: 'to', label: t('list.to') },
      ]}
      exportFile={{ path: '/api/admin/activity/export', label: t('list.export') }}
    />
  );
}
