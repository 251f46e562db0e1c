import ReplayRounded from '@mui/icons-material/ReplayRounded';
import TaskAltRounded from '@mui/icons-material/TaskAltRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { Cut } from '../../ui/cut';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RowCard } from '../../ui/row-card';
import { useChange } from '../../ui/use-change';
import { ClockJobs } from './clock-jobs';
import { JobPanel } from './job-panel';
import { JobState, type Job } from './job-state';
import { queues, useQueueName } from './queues';

const states = ['dead', 'queued', 'running'] as const;

/** Work under way, what has given up, and the jobs of the clock. */
export function Jobs() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<Job | null>(null);
  return (
    <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <AdminList<Job>
        resource="jobs"
        label={t('jobs.list')}
        failed={t('jobs.failed')}
        empty={{ icon: <TaskAltRounded />, title: t('jobs.empty'), text: t('jobs.emptyText') }}
        filters={<Filters />}
        onRow={setOpened}
        card={(job) => <JobCard job={job} onOpen={() => setOpened(job)} />}
      >
        {useColumns(setOpened)}
      </AdminList>
      <ClockJobs />
      <JobPanel job={opened} onClose={() => setOpened(null)} />
    </Box>
  );
}

function Filters() {
  const { t } = useTranslation('admin');
  const retry = useChange({
    resource: 'jobs',
    call: async (_: void) => (await api.POST('/api/admin/jobs/retry-dead')).data?.retried ?? 0,
    done: (count) => t('jobs.allRetried', { count }),
    failed: t('jobs.changeFailed'),
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', justifyContent: 'space-between' }}>
      <ListFilters
        search={t('jobs.search')}
        choices={[
          {
            name: 'state',
            label: t('jobs.state'),
            any: t('jobs.anyState'),
            options: states.map((value) => ({ value, label: t(`jobs.states.${value}`) })),
          },
          {
            name: 'queue',
            label: t('jobs.queue'),
            any: t('jobs.anyQueue'),
            options: queues.map((value) => ({ value, label: t(`jobs.queues.${value}`) })),
          },
        ]}
        file={{ path: '/api/admin/jobs/export', label: t('list.export') }}
      />
      <Button
        startIcon={<ReplayRounded />}
        loading={retry.isPending}
        loadingPosition="start"
        onClick={() => retry.mutate()}
      >
        {t('jobs.retryAll')}
      </Button>
    </Box>
  );
}

function useColumns(onOpen: (job: Job) => void) {
  const { t } = useTranslation('admin');
  const name = useQueueName();
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
      render={({ queue }) => name(queue)}
    />,
    <DataTable.Col<Job>
      key="state"
      source="state"
      disableSort
      label={t('jobs.state')}
      render={({ state }) => <JobState state={state} />}
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
      render={({ lastError }) => <Cut chars={40}>{lastError ?? t('list.none')}</Cut>}
    />,
  ];
}

function JobCard({ job, onOpen }: { job: Job; onOpen: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const queueName = useQueueName();
  const { id, name, queue, state, attempts, maxAttempts, runAt, lastError } = job;
  return (
    <RowCard
      title={
        <OpenButton label={t('jobs.open', { name, id })} onOpen={onOpen}>
          {name}
        </OpenButton>
      }
      badge={<JobState state={state} />}
      lines={[
        `${queueName(queue)} · ${t('jobs.triesOf', { tries: attempts, most: maxAttempts })}`,
        format.dateTime(runAt),
        lastError?.slice(0, 120),
      ]}
    />
  );
}
