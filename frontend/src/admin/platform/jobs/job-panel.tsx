import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ActionButton } from '../../ui/action-button';
import { DefinitionList } from '../../ui/definition-list';
import { RawText } from '../../ui/raw-text';
import { SidePanel } from '../../ui/side-panel';
import { JobStateBadge, type Job } from './job-state-badge';
import { useQueueLabel } from './queue-names';

/** Details of a job, why it failed, and its actions. */
export function JobPanel({ job, onClose }: { job: Job | null; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getQueueLabel = useQueueLabel();
  return (
    <SidePanel
      open={job !== null}
      title={job?.name ?? ''}
      badge={job && <JobStateBadge state={job.state} />}
      onClose={onClose}
    >
      {job && (
        <>
          {job.state !== 'running' && <JobActions job={job} onDone={onClose} />}
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
    </SidePanel>
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
