import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { lazyComponent } from '../../../shared/ui/lazy-component';

const OverTimeChart = lazyComponent(
  () => import('./over-time-chart').then((m) => m.OverTimeChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);

type Report = Schema<'CampaignReportDto'>;

/** Failure reasons, clicked links, and activity over time. */
export function ReportDetails({ report }: { report: Report }) {
  return (
    <>
      <ReportNotes report={report} />
      <OverTime hours={report.overTime} />
      <DeliveryFailures report={report} />
      {report.trackingEnabled && <ClickedLinks report={report} />}
    </>
  );
}

/** A line needs two hours; a single hour is described in words. */
function OverTime({ hours }: { hours: Report['overTime'] }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const [first, second] = hours;
  if (!first) return null;
  if (second) {
    return (
      <SectionCard title={t('report.overTime')}>
        <OverTimeChart hours={hours} height={240} />
      </SectionCard>
    );
  }
  const [delivered, opens, clicks] = [first.delivered, first.opens, first.clicks].map(format.number);
  const text = t('report.oneHour', { from: format.dateTime(first.at), delivered, opens, clicks });
  return <SectionCard title={t('report.overTime')} text={text} />;
}

function ReportNotes({ report }: { report: Report }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { startedAt, sentAt, machineEvents, skippedCount, cancelledCount } = report;
  const lines = [
    startedAt && t('report.startedAt', { when: format.dateTime(startedAt) }),
    sentAt && t('report.sentAt', { when: format.dateTime(sentAt) }),
    skippedCount > 0 && `${t('report.skipped')}: ${format.number(skippedCount)}`,
    cancelledCount > 0 && `${t('report.cancelled')}: ${format.number(cancelledCount)}`,
    report.trackingEnabled ? t('report.estimates') : t('report.noTracking'),
    machineEvents > 0 && t('report.machine', { count: machineEvents, formatted: format.number(machineEvents) }),
  ];
  return (
    <Stack spacing={1}>
      {lines.filter(Boolean).map((line) => (
        <Typography key={String(line)} variant="body2" color="textSecondary">
          {line}
        </Typography>
      ))}
    </Stack>
  );
}

function DeliveryFailures({ report }: { report: Report }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { failures } = report;
  if (failures.length === 0) return null;
  return (
    <SectionCard title={t('report.failures')}>
      <TableFrame label={t('report.failures')} columns="minmax(0, 1fr) 96px" rowCount={failures.length + 1}>
        <TableRow rowIndex={1} isHeader>
          <TableCell isHeader>{t('report.reason')}</TableCell>
          <TableCell isHeader isNumeric>
            {t('report.mails')}
          </TableCell>
        </TableRow>
        {failures.map(({ reason, smtpCode, fault: bounceCause, count }, index) => (
          <TableRow key={`${smtpCode} ${bounceCause} ${reason}`} rowIndex={index + 2}>
            <TableCell>
              <Box sx={{ minWidth: 0, py: 2, overflowWrap: 'anywhere' }}>
                <Typography variant="body2">{reason}</Typography>
                {bounceCause && (
                  <Badge tone={bounceCause === 'sender' ? 'warning' : 'neutral'}>
                    {t(`rejections.${bounceCause}`)}
                  </Badge>
                )}
                <MobileOnlyText>{`${t('report.mails')}: ${format.number(count)}`}</MobileOnlyText>
              </Box>
            </TableCell>
            <TableCell hideOnMobile isNumeric>
              {format.number(count)}
            </TableCell>
          </TableRow>
        ))}
      </TableFrame>
    </SectionCard>
  );
}

/** Labels of the figures where there is no table header. */
function MobileOnlyText({ children }: { children: string }) {
  return (
    <Typography variant="body2" color="textSecondary" sx={{ display: { md: 'none' } }}>
      {children}
    </Typography>
  );
}

function ClickedLinks({ report }: { report: Report }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { links } = report;
  return (
    <SectionCard title={t('report.links')} text={links.length === 0 ? t('report.linksNone') : undefined}>
      {links.length > 0 && (
        <TableFrame label={t('report.links')} columns="minmax(0, 1fr) 112px 112px" rowCount={links.length + 1}>
          <TableRow rowIndex={1} isHeader>
            <TableCell isHeader>{t('report.address')}</TableCell>
            <TableCell isHeader isNumeric>
              {t('report.allClicks')}
            </TableCell>
            <TableCell isHeader isNumeric>
              {t('report.people')}
            </TableCell>
          </TableRow>
          {links.map(({ url, recipients, clicks }, index) => (
            <TableRow key={url} rowIndex={index + 2}>
              <TableCell>
                <Box sx={{ minWidth: 0, py: 2, overflowWrap: 'anywhere' }}>
                  <Typography variant="body2" dir="ltr">
                    {url}
                  </Typography>
                  <MobileOnlyText>
                    {`${t('report.allClicks')}: ${format.number(clicks)} · ${t('report.people')}: ${format.number(recipients)}`}
                  </MobileOnlyText>
                </Box>
              </TableCell>
              <TableCell hideOnMobile isNumeric>
                {format.number(clicks)}
              </TableCell>
              <TableCell hideOnMobile isNumeric>
                {format.number(recipients)}
              </TableCell>
            </TableRow>
          ))}
        </TableFrame>
      )}
    </SectionCard>
  );
}
