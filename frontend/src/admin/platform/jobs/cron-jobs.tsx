import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Column, DateColumn } from '../../ui/list/column';
import { StaticList } from '../../ui/list/list';
import { useScheduledJobTexts } from './use-scheduled-job-texts';

type CronJob = Schema<'ClockJobDto'>;

/** Last and next run of each scheduled job. */
export function CronJobs() {
  const { t } = useTranslation('admin');
  const titleId = useId();
  const texts = useScheduledJobTexts();
  const { data, error, refetch } = $api.useQuery('get', '/api/admin/clock-jobs');
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ minWidth: 0 }}>
      <Typography id={titleId} variant="h2" sx={{ mb: 3 }}>
        {t('clock.title')}
      </Typography>
      {error && !data && <ErrorState title={t('clock.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <RowsSkeleton rows={6} />}
      {data && (
        <StaticList<CronJob> resource="clock-jobs" label={t('clock.title')} rows={data}>
          <Column<CronJob>
            disableSort
            label={t('clock.name')}
            inCard="title"
            render={(job) => <span title={job.name}>{texts.name(job)}</span>}
          />
          <Column<CronJob>
            disableSort
            label={t('clock.cron')}
            render={(job) => <span title={job.cron}>{texts.schedule(job)}</span>}
          />
          <DateColumn<CronJob>
            source="lastSlot"
            disableSort
            label={t('clock.last')}
            hasCardLabel
            showTime
            emptyText={t('clock.never')}
          />
          <DateColumn<CronJob> source="nextSlot" disableSort label={t('clock.next')} hasCardLabel showTime />
          <Column<CronJob>
            disableSort
            label={t('clock.state')}
            inCard="badge"
            render={(job) => <CronJobStateBadge job={job} />}
          />
        </StaticList>
      )}
    </Box>
  );
}

function CronJobStateBadge({ job: { queued, running, dead } }: { job: CronJob }) {
  const { t } = useTranslation('admin');
  if (dead > 0) return <Badge tone="danger">{t('jobs.states.dead')}</Badge>;
  if (running > 0) return <Badge tone="accent">{t('jobs.states.running')}</Badge>;
  return queued > 0 ? <Badge>{t('jobs.states.queued')}</Badge> : <Badge tone="success">{t('clock.done')}</Badge>;
}
