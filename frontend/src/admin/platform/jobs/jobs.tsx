import ReplayRounded from '@mui/icons-material/ReplayRounded';
import TaskAltRounded from '@mui/icons-material/TaskAltRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { DataTable, useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RowCard } from '../../ui/row-card';
import { useAdminMutation } from '../../ui/use-admin-mutation';
import { CronJobs } from './cron-jobs';
import { JobPanel } from './job-panel';
import { JobStateBadge, type Job } from './job-state-badge';
import { queueNames, useQueueLabel } from './queue-names';

const jobStates = ['dead', 'queued', 'running'] as const;

/** Jobs in progress, failed jobs and scheduled jobs. */
export function Jobs() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<Job | null>(null);
  return (
    <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <AdminList<Job>
        resource="jobs"
        label={t('jobs.list')}
        errorTitle={t('jobs.failed')}
        empty={{ icon: <TaskAltRounded />, title: t('jobs.empty'), text: t('jobs.emptyText') }}
        filters={<JobFilters />}
        onRowClick={setOpened}
        renderCard={(job) => <JobCard job={job} onOpen={() => setOpened(job)} />}
      >
        {useColumns(setOpened)}
      </AdminList>
      <CronJobs />
      <JobPanel job={opened} onClose={() => setOpened(null)} />
    </Box>
  );
}

function JobFilters() {
  const { t } = useTranslation('admin');
  const { total, filterValues } = useListContext<Job>();
  const hasNoFailedJobs = total === 0 && Object.values(filterValues).every((value) => !value || value === 'dead');
  const retryDeadJobs = useAdminMutation({
    resource: 'jobs',
    call: async (_: void) => (await api.POST('/api/admin/jobs/retry-dead')).data?.retried ?? 0,
    successMessage: (count) => t('jobs.allRetried', { count }),
    errorTitle: t('jobs.changeFailed'),
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', justifyContent: 'space-between' }}>
      <ListFilters
        searchLabel={t('jobs.search')}
        selects={[
          {
            name: 'state',
            label: t('jobs.state'),
            anyLabel: t('jobs.anyState'),
            options: jobStates.map((value) => ({ value, label: t(`jobs.states.${value}`) })),
          },
          {
            name: 'queue',
            label: t('jobs.queue'),
            anyLabel: t('jobs.anyQueue'),
            options: queueNames.map((value) => ({ value, label: t(`jobs.queues.${value}`) })),
          },
        ]}
        exportFile={{ path: '/api/admin/jobs/export', label: t('list.export') }}
      />
      <Button
        startIcon={<ReplayRounded />}
        disabled={hasNoFailedJobs}
        loading={retryDeadJobs.isPending}
        loadingPosition="start"
        onClick={() => retryDeadJobs.mutate()}
      >
        {t('jobs.retryAll')}
      </Button>
    </Box>
  );
}

function useColumns(onOpen: (job: Job) => void) {
  const { t } = useTranslation('admin');
  const getQueueLabel = useQueueLabel();
  const format = useFormat();
  return [
    <DataTable.Col<Job>
      key="name"
      source="name"
      label={t('jobs.name')}
      render={(job) => (
        <OpenButton label={t('jobs.open', { name: job.name, id: job.id })} onOpen={() => onOpen(job)}>
          {job.name}
        </OpenButton>
      )}
    />,
    <DataTable.Col<Job>
      key="queue"
      source="queue"
      disableSort
      label={t('jobs.queue')}
      render={({ queue }) => getQueueLabel(queue)}
    />,
    <DataTable.Col<Job>
      key="state"
      source="state"
      disableSort
      label={t('jobs.state')}
      render={({ state }) => <JobStateBadge state={state} />}
    />,
    <DataTable.Col<Job>
      key="attempts"
      source="attempts"
      label={t('jobs.tries')}
      render={({ attempts, maxAttempts }) => t('jobs.triesOf', { tries: attempts, most: maxAttempts })}
    />,
    <DataTable.Col<Job>
      key="runAt"
      source="runAt"
      label={t('jobs.due')}
      render={({ runAt }) => (
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {format.dateTime(runAt)}
        </Box>
      )}
    />,
    <DataTable.Col<Job>
      key="lastError"
      source="lastError"
      disableSort
      label={t('jobs.lastError')}
      render={({ lastError }) => <TruncatedText maxChars={40}>{lastError ?? t('list.none')}</TruncatedText>}
    />,
  ];
}

function JobCard({ job, onOpen }: { job: Job; onOpen: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getQueueLabel = useQueueLabel();
  const { id, name, queue, state, attempts, maxAttempts, runAt, lastError } = job;
  return (
    <RowCard
      title={
        <OpenButton label={t('jobs.open', { name, id })} onOpen={onOpen}>
          {name}
        </OpenButton>
      }
      badge={<JobStateBadge state={state} />}
      lines={[
        `${getQueueLabel(queue)} · ${t('jobs.triesOf', { tries: attempts, most: maxAttempts })}`,
        format.dateTime(runAt),
        lastError?.slice(0, 120),
      ]}
    />
  );
}
