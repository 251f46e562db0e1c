import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { RowCard } from '../../ui/row-card';
import { useScheduledJobTexts } from './use-scheduled-job-texts';

type CronJob = Schema<'ClockJobDto'>;

/** Last and next run of each scheduled job. */
export function CronJobs() {
  const { t } = useTranslation('admin');
  const titleId = useId();
  const isWide = useMediaQuery(`(min-width: ${layoutSize.drawerBelow}px)`);
  const { data, error, refetch } = $api.useQuery('get', '/api/admin/clock-jobs');
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ minWidth: 0 }}>
      <Typography id={titleId} variant="h2" sx={{ mb: 3 }}>
        {t('clock.title')}
      </Typography>
      {error && !data && <ErrorState title={t('clock.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <RowsSkeleton rows={6} />}
      {data && (isWide ? <CronJobTable jobs={data} labelId={titleId} /> : <CronJobCards jobs={data} />)}
    </Box>
  );
}

function CronJobTable({ jobs, labelId }: { jobs: readonly CronJob[]; labelId: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const texts = useScheduledJobTexts();
  return (
    <Card role="group" tabIndex={0} aria-labelledby={labelId} sx={{ overflowX: 'auto' }}>
      <Table aria-labelledby={labelId} sx={{ '& tbody tr:last-of-type td': { borderBottom: 0 } }}>
        <TableHead>
          <TableRow>
            {(['name', 'cron', 'last', 'next', 'state'] as const).map((column) => (
              <TableCell key={column}>{t(`clock.${column}`)}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {jobs.map((job) => (
            <TableRow key={job.id}>
              <TableCell title={job.name}>{texts.name(job)}</TableCell>
              <TableCell title={job.cron}>{texts.schedule(job)}</TableCell>
              <TableCell>{job.lastSlot ? format.dateTime(job.lastSlot) : t('clock.never')}</TableCell>
              <TableCell>{format.dateTime(job.nextSlot)}</TableCell>
              <TableCell>
                <CronJobStateBadge job={job} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

function CronJobCards({ jobs }: { jobs: readonly CronJob[] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const texts = useScheduledJobTexts();
  return (
    <Box component="ul" sx={{ display: 'grid', gap: 3, m: 0, p: 0, listStyle: 'none' }}>
      {jobs.map((job) => (
        <Card key={job.id} component="li">
          <RowCard
            title={texts.name(job)}
            badge={<CronJobStateBadge job={job} />}
            lines={[
              texts.schedule(job),
              `${t('clock.last')}: ${job.lastSlot ? format.dateTime(job.lastSlot) : t('clock.never')}`,
              `${t('clock.next')}: ${format.dateTime(job.nextSlot)}`,
            ]}
          />
        </Card>
      ))}
    </Box>
  );
}

function CronJobStateBadge({ job: { queued, running, dead } }: { job: CronJob }) {
  const { t } = useTranslation('admin');
  if (dead > 0) return <Badge tone="danger">{t('jobs.states.dead')}</Badge>;
  if (running > 0) return <Badge tone="accent">{t('jobs.states.running')}</Badge>;
  return queued > 0 ? <Badge>{t('jobs.states.queued')}</Badge> : <Badge tone="success">{t('clock.done')}</Badge>;
}
