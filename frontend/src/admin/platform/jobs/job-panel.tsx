import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { RawText } from '../../ui/raw-text';
import { SidePanel } from '../../ui/side-panel';
import { useChange } from '../../ui/use-change';
import { JobState, type Job } from './job-state';
import { useQueueName } from './queues';

/** One job with what it is about and why it failed, and the ways out. */
export function JobPanel({ job, onClose }: { job: Job | null; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const queueName = useQueueName();
  return (
    <SidePanel
      open={job !== null}
      title={job?.name ?? ''}
      badge={job && <JobState state={job.state} />}
      onClose={onClose}
    >
      {job && (
        <>
          {job.state !== 'running' && <Actions job={job} onDone={onClose} />}
          <Facts
            label={t('jobs.facts')}
            facts={[
              [t('jobs.queue'), queueName(job.queue)],
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

function Actions({ job, onDone }: { job: Job; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const init = { params: { path: { id: job.id } } };
  const retry = useChange<void, unknown>({
    resource: 'jobs',
    call: () => api.POST('/api/admin/jobs/{id}/retry', init),
    done: () => t('jobs.retried'),
    failed: t('jobs.changeFailed'),
  });
  const discard = useChange<void, unknown>({
    resource: 'jobs',
    call: () => api.DELETE('/api/admin/jobs/{id}', init),
    done: () => t('jobs.discarded'),
    failed: t('jobs.changeFailed'),
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button
        variant="contained"
        color="primary"
        loading={retry.isPending}
        onClick={() => retry.mutate(undefined, { onSuccess: onDone })}
      >
        {t('jobs.retry')}
      </Button>
      {job.state === 'dead' && (
        <Button color="error" onClick={() => setAsked(true)}>
          {t('jobs.discard')}
        </Button>
      )}
      <ConfirmDialog
        open={asked}
        title={t('jobs.discardTitle', { name: job.name })}
        confirmLabel={t('jobs.discard')}
        busy={discard.isPending}
        onConfirm={() => discard.mutate(undefined, { onSuccess: onDone, onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        {t('jobs.discardText')}
      </ConfirmDialog>
    </Box>
  );
}
