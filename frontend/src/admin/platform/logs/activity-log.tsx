import TimelineRounded from '@mui/icons-material/TimelineRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { Column, DateColumn } from '../../ui/list/column';
import { PeriodFilter, SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { useLogTypeLabel, useLogTypeOptions } from './use-log-type-label';

type Activity = Schema<'AdminActivityDto'>;

/** Activity in all zones, as sentences. */
export function ActivityLog() {
  const { t } = useTranslation('admin');
  const getTypeLabel = useLogTypeLabel('happenings');
  return (
    <List<Activity>
      resource="activity"
      label={t('activity.list')}
      errorTitle={t('activity.failed')}
      empty={{ icon: <TimelineRounded />, title: t('activity.empty'), text: t('activity.emptyText') }}
      filters={<ActivityFilters />}
    >
      <Column<Activity>
        source="message"
        disableSort
        label={t('activity.message')}
        inCard="title"
        render={({ message }) => (
          <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
            {message}
          </Box>
        )}
      />
      <Column<Activity> source="userEmail" disableSort label={t('activity.person')} />
      <DateColumn<Activity> source="createdAt" label={t('activity.date')} showTime />
      <Column<Activity>
        source="type"
        disableSort
        label={t('activity.type')}
        render={({ type }) => getTypeLabel(type)}
      />
    </List>
  );
}

function ActivityFilters() {
  const { t } = useTranslation('admin');
  const { data: types = [] } = $api.useQuery('get', '/api/admin/activity/types');
  const choices = useLogTypeOptions('happenings', types);
  return (
    <>
      <SearchFilter label={t('activity.search')} />
      <SelectFilter source="type" label={t('activity.type')} emptyText={t('activity.anyType')} choices={choices} />
      <PeriodFilter />
    </>
  );
}
