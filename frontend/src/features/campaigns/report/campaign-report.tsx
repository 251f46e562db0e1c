import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useTouched } from '../../../shared/api/touch';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { PageHeader } from '../../../shared/ui/page-header';
import { StatCards } from '../../../shared/ui/stat-cards';
import { useCampaign, useReport, type Campaign } from '../api/use-campaigns';
import { StatusBadge } from '../components/status-badge';
import { useReadable } from '../components/use-readable';
import { useZoneName } from '../components/use-zone-name';
import { NotStarted } from '../components/not-started';
import { MailStage } from '../composer/mail-preview';
import { ReportActions } from './report-actions';
import { ReportDetails } from './report-details';
import { SendingProgress } from './sending-progress';

/** A campaign that is no draft any more: what it waits for, how far it is, and what came of it. */
export function CampaignReport({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const readable = useReadable();
  const name = readable(campaign.name, campaign.zoneName);
  const subject = readable(campaign.subject, campaign.zoneName);
  const zoneName = useZoneName(campaign);
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={campaign.kind === 'welcome' ? t('welcomeMail') : name}
        badge={<StatusBadge campaign={campaign} />}
        description={`${zoneName} · ${t(`audience.${campaign.targetAudience}`)} · ${subject}`}
        back={{ to: '/campaigns', label: t('compose.back') }}
        actions={<ReportActions campaign={campaign} />}
      />
      <Stack spacing={6}>
        <Waiting campaign={campaign} />
        {campaign.can.seeReport && <Figures campaign={campaign} />}
        {campaign.kind === 'campaign' && !campaign.isZoneDeleted && <SentMail id={campaign.id} />}
      </Stack>
    </Box>
  );
}

const refused = ['SENDER_REFUSED', 'READERS_REFUSED', 'ALL_REFUSED'] as const;

/** What a campaign waits for, or why it did not start or was stopped. */
function Waiting({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { status, scheduledAt, timeZone, failure } = campaign;
  if (status === 'scheduled' && scheduledAt) {
    const when = t('schedule.goes', {
      when: format.dateTime(scheduledAt),
      zone: timeZone?.replaceAll('_', ' ') ?? 'UTC',
    });
    return <Typography>{when}</Typography>;
  }
  const { keptCount: count } = campaign;
  if (count > 0 && status !== 'sending') {
    return (
      <Alert severity="warning" role="note">
        {t('report.keptText', { count, formatted: format.number(count) })}
      </Alert>
    );
  }
  const isHeld = status === 'paused' || status === 'failed';
  const stopped = isHeld && refused.find((known) => known === failure);
  if (stopped) {
    return (
      <Alert severity={status === 'failed' ? 'error' : 'warning'} role="note">
        {t(`faults.${stopped}`)}
      </Alert>
    );
  }
  return <NotStarted campaign={campaign} />;
}

function Figures({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { data: report, error, refetch } = useReport(campaign.id);
  const { refetch: lookAgain } = useCampaign(campaign.id, true);
  const touched = useTouched();
  const moved = report !== undefined && report.status !== campaign.status;
  useEffect(() => {
    // The sending has ended, or was held up elsewhere: what can be done with it is another thing now.
    if (moved) void lookAgain().then(() => touched('POST /api/campaigns/{id}/send'));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- asked for once each time it has moved
  }, [moved]);
  if (error && !report) return <ErrorState title={t('report.loadFailed')} error={error} onRetry={refetch} />;
  const figure = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <>
      <SendingProgress progress={report ?? campaign} />
      <StatCards
        label={t('report.title')}
        figures={[
          { name: t('report.recipients'), value: figure(report?.recipientCount) },
          { name: t('report.delivered'), value: figure(report?.deliveredCount) },
          ...(report?.keptCount ? [{ name: t('report.kept'), value: figure(report.keptCount) }] : []),
          { name: t('report.failed'), value: figure(report?.failedCount) },
          { name: t('report.opens'), value: figure(report?.openCount) },
          { name: t('report.clicks'), value: figure(report?.clickCount) },
        ]}
      />
      {report && <ReportDetails report={report} />}
    </>
  );
}

/** The mail itself. */
function SentMail({ id }: { id: number }) {
  const { t } = useTranslation('campaigns');
  return (
    <Box sx={{ maxWidth: 720 }}>
      <MailStage>
        <Box
          component="iframe"
          src={`/api/campaigns/${id}/preview`}
          title={t('preview.frame')}
          sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', border: 0 }}
        />
      </MailStage>
    </Box>
  );
}
