import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { DefinitionList } from '../../ui/definition-list';
import { RawText } from '../../ui/raw-text';
import { SidePanel } from '../../ui/side-panel';
import { useAdminMutation } from '../../ui/use-admin-mutation';
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
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const requestOptions = { params: { path: { id: job.id } } };
  const retry = useAdminMutation<void, unknown>({
    resource: 'jobs',
    call: () => api.POST('/api/admin/jobs/{id}/retry', requestOptions),
    successMessage: () => t('jobs.retried'),
    errorTitle: t('jobs.changeFailed'),
  });
  const discard = useAdminMutation<void, unknown>({
    resource: 'jobs',
    call: () => api.DELETE('/api/admin/jobs/{id}', requestOptions),
    successMessage: () => t('jobs.discarded'),
    errorTitle: t('jobs.changeFailed'),
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
        <Button color="error" onClick={() => setIsConfirmOpen(true)}>
          {t('jobs.discard')}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('jobs.discardTitle', { name: job.name })}
        confirmLabel={t('jobs.discard')}
        isPending={discard.isPending}
        onConfirm={() => discard.mutate(undefined, { onSuccess: onDone, onSettled: () => setIsConfirmOpen(false) })}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('jobs.discardText')}
      </ConfirmDialog>
    </Box>
  );
}
