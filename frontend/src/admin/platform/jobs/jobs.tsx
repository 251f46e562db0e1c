import ReplayRounded from '@mui/icons-material/ReplayRounded';
import TaskAltRounded from '@mui/icons-material/TaskAltRounded';
import Box from '@mui/material/Box';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ActionButton } from '../../ui/action-button';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { RecordLink } from '../../ui/list/record-link';
import { CronJobs } from './cron-jobs';
import { JobDrawer } from './job-drawer';
import { JobStateBadge, type Job } from './job-state-badge';
import { queueNames, useQueueLabel } from './queue-names';

const jobStates = ['dead', 'queued', 'running'] as const;

/** Jobs in progress, failed jobs and scheduled jobs. */
export function Jobs() {
  const { t } = useTranslation('admin');
  const getQueueLabel = useQueueLabel();
  return (
    <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <List<Job>
        resource="jobs"
        label={t('jobs.list')}
        errorTitle={t('jobs.failed')}
        empty={{ icon: <TaskAltRounded />, title: t('jobs.empty'), text: t('jobs.emptyText') }}
        filters={<JobFilters />}
        actions={<RetryDeadJobsButton />}
      >
        <Column<Job>
          source="name"
          label={t('jobs.name')}
          inCard="title"
          render={(job) => <RecordLink label={t('jobs.open', { name: job.name, id: job.id })}>{job.name}</RecordLink>}
        />
        <Column<Job>
          source="queue"
          disableSort
          label={t('jobs.queue')}
          inCard="inline"
          render={({ queue }) => getQueueLabel(queue)}
        />
        <Column<Job>
          source="state"
          disableSort
          label={t('jobs.state')}
          inCard="badge"
          render={({ state }) => <JobStateBadge state={state} />}
        />
        <Column<Job>
          source="attempts"
          label={t('jobs.tries')}
          inCard="inline"
          render={({ attempts, maxAttempts }) => t('jobs.triesOf', { tries: attempts, most: maxAttempts })}
        />
        <DateColumn<Job> source="runAt" label={t('jobs.due')} showTime />
        <Column<Job> source="lastError" disableSort label={t('jobs.lastError')} maxChars={40} />
      </List>
      <CronJobs />
      <JobDrawer />
    </Box>
  );
}

function JobFilters() {
  const { t } = useTranslation('admin');
  return (
    <>
      <SearchFilter label={t('jobs.search')} />
      <SelectFilter
        source="state"
        label={t('jobs.state')}
        emptyText={t('jobs.anyState')}
        choices={jobStates.map((value) => ({ value, label: t(`jobs.states.${value}`) }))}
      />
      <SelectFilter
        source="queue"
        label={t('jobs.queue')}
        emptyText={t('jobs.anyQueue')}
        choices={queueNames.map((value) => ({ value, label: t(`jobs.queues.${value}`) }))}
      />
    </>
  );
}

function RetryDeadJobsButton() {
  const { t } = useTranslation('admin');
  const { total, filterValues } = useListContext<Job>();
  const hasNoFailedJobs = total === 0 && Object.values(filterValues).every((value) => !value || value === 'dead');
  return (
    <ActionButton
      resource="jobs"
      label={t('jobs.retryAll')}
      startIcon={<ReplayRounded />}
      disabled={hasNoFailedJobs}
      call={async () => (await api.POST('/api/admin/jobs/retry-dead')).data?.retried ?? 0}
      successMessage={(count) => t('jobs.allRetried', { count })}
      errorTitle={t('jobs.changeFailed')}
    />
  );
}
