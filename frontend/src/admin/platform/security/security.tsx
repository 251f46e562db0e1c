import ShieldRounded from '@mui/icons-material/ShieldRounded';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { ChartDataTable } from '../../ui/chart-data-table';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import { securityMetrics } from './security-metrics';

// The chart library is large and used in few tabs.
const SecurityChart = lazyComponent(
  () => import('./security-chart').then((m) => m.SecurityChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const CHART_HEIGHT = 240;

type SecurityEvent = Schema<'SecurityEventDto'>;
const eventKinds = [
  ...(['sign-in-failed', 'confirmation-failed', 'locked-out', 'webhook-refused'] as const),
  ...(['token-network', 'new-device'] as const),
] satisfies readonly SecurityEvent['kind'][];

/** Security events: failed attempts and new devices, by day and as a list of the latest. */
export function Security() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <SecurityDays />
      <SecurityEvents />
    </Box>
  );
}

function SecurityDays() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { data: days, error, refetch } = $api.useQuery('get', '/api/admin/security/days');
  if (error && !days) return <ErrorState title={t('security.daysFailed')} error={error} onRetry={refetch} />;
  const isEmpty = days?.every((day) => securityMetrics.every((metric) => day[metric] === 0)) === true;
  return (
    <SectionCard title={t('security.days')} text={t('overview.lastDaysUtc')}>
      {!days && <Skeleton variant="rounded" height={CHART_HEIGHT} />}
      {isEmpty && (
        <Typography color="textSecondary" sx={{ py: 10, textAlign: 'center' }}>
          {t('security.noneByDay')}
        </Typography>
      )}
      {days && !isEmpty && (
        <>
          <SecurityChart days={days} height={CHART_HEIGHT} />
          <ChartDataTable
            label={t('security.figures')}
            columns={[t('security.day'), ...securityMetrics.map((metric) => t(`security.${metric}`))]}
            rows={days
              .toReversed()
              .map((day) => [
                format.day(day.day, 'whole'),
                ...securityMetrics.map((metric) => format.number(day[metric])),
              ])}
          />
        </>
      )}
    </SectionCard>
  );
}

function SecurityEvents() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <List<SecurityEvent>
      resource="security-events"
      label={t('security.list')}
      errorTitle={t('security.failed')}
      empty={{ icon: <ShieldRounded />, title: t('security.empty'), text: t('security.emptyText') }}
      sort={{ field: 'lastAt', order: 'DESC' }}
      filters={<EventFilters />}
    >
      <Column<SecurityEvent>
        source="kind"
        disableSort
        label={t('security.kind')}
        inCard="title"
        render={({ kind }) => t(`security.kinds.${kind}`)}
      />
      <Column<SecurityEvent>
        source="detail"
        disableSort
        label={t('security.detail')}
        render={({ detail }) => detail && t(`security.details.${detail as 'password'}`, { defaultValue: detail })}
      />
      <Column<SecurityEvent>
        source="userEmail"
        disableSort
        label={t('security.person')}
        maxChars={32}
        render={({ userEmail, userId }) => userEmail ?? (userId === null ? null : t('audit.former', { id: userId }))}
      />
      <Column<SecurityEvent> source="network" disableSort label={t('security.network')} />
      <Column<SecurityEvent>
        source="count"
        align="right"
        label={t('security.count')}
        inCard="inline"
        hasCardLabel
        render={({ count }) => format.number(count)}
      />
      <DateColumn<SecurityEvent> source="firstAt" label={t('security.first')} showTime inCard="hidden" />
      <DateColumn<SecurityEvent> source="lastAt" label={t('security.last')} showTime inCard="inline" />
    </List>
  );
}

function EventFilters() {
  const { t } = useTranslation('admin');
  return (
    <>
      <SearchFilter label={t('security.search')} />
      <SelectFilter
        source="kind"
        label={t('security.kind')}
        emptyText={t('security.anyKind')}
        choices={eventKinds.map((value) => ({ value, label: t(`security.kinds.${value}`) }))}
      />
    </>
  );
}
