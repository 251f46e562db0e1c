import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ActionButton } from '../../ui/action-button';
import { DefinitionList } from '../../ui/definition-list';
import { useCloseRecord } from '../../ui/list/record-address';
import { RecordDrawer } from '../../ui/list/record-drawer';
import { RawText } from '../../ui/raw-text';
import { JobStateBadge, type Job } from './job-state-badge';
import { useQueueLabel } from './queue-names';

/** Details of a job, why it failed, and its actions. */
export function JobDrawer() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getQueueLabel = useQueueLabel();
  const close = useCloseRecord('jobs');
  return (
    <RecordDrawer<Job, Job>
      resource="jobs"
      errorTitle={t('jobs.detailFailed')}
      title={({ name }) => name}
      badge={({ state }) => <JobStateBadge state={state} />}
    >
      {(job) => (
        <>
          {job.state !== 'running' && <JobActions job={job} onDone={close} />}
          <DefinitionList
            label={t('jobs.facts')}
            items={[
              [t('jobs.queue'), getQueueLabel(job.queue)],
              [t('jobs.tries'), t('jobs.triesOf', { tries: job.attempts, most: job.maxAttempts })],
              [t('jobs.due'), format.dateTime(job.runAt)],
              [t('jobs.created'), format.dateTime(job.createdAt)],
              [t('jobs.id'), String(job.id)],
            ]}
          />
          {job.lastError && <RawText title={t('jobs.lastError')}>{job.lastError}</RawText>}
          <RawText title={t('jobs.payload')}>{JSON.stringify(job.payload, null, 2)}</RawText>
        </>
      )}
    </RecordDrawer>
  );
}

function JobActions({ job, onDone }: { job: Job; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const requestOptions = { params: { path: { id: job.id } } };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <ActionButton
        resource="jobs"
        label={t('jobs.retry')}
        variant="contained"
        color="primary"
        call={() => api.POST('/api/admin/jobs/{id}/retry', requestOptions)}
        successMessage={() => t('jobs.retried')}
        errorTitle={t('jobs.changeFailed')}
        onDone={onDone}
      />
      {job.state === 'dead' && (
        <ActionButton
          resource="jobs"
          label={t('jobs.discard')}
          color="error"
          confirm={{ title: t('jobs.discardTitle', { name: job.name }), text: t('jobs.discardText') }}
          call={() => api.DELETE('/api/admin/jobs/{id}', requestOptions)}
          successMessage={() => t('jobs.discarded')}
          errorTitle={t('jobs.changeFailed')}
          onDone={onDone}
        />
      )}
    </Box>
  );
}
