import ShieldRounded from '@mui/icons-material/ShieldRounded';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { AdminList } from '../../ui/admin-list';
import { ChartDataTable } from '../../ui/chart-data-table';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
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

/** Returns the texts of a row. */
function useEventTexts() {
  const { t } = useTranslation('admin');
  return {
    kind: ({ kind }: SecurityEvent) => t(`security.kinds.${kind}`),
    person: ({ userEmail, userId }: SecurityEvent) =>
      userEmail ?? (userId === null ? t('list.none') : t('audit.former', { id: userId })),
    network: ({ network }: SecurityEvent) => network ?? t('list.none'),
    detail: ({ detail }: SecurityEvent) =>
      t(`security.details.${detail as 'password'}`, { defaultValue: detail || t('list.none') }),
  };
}

function SecurityEvents() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const texts = useEventTexts();
  return (
    <AdminList<SecurityEvent>
      resource="security-events"
      label={t('security.list')}
      errorTitle={t('security.failed')}
      empty={{ icon: <ShieldRounded />, title: t('security.empty'), text: t('security.emptyText') }}
      sort={{ field: 'lastAt', order: 'DESC' }}
      filters={
        <ListFilters
          searchLabel={t('security.search')}
          selects={[
            {
              name: 'kind',
              label: t('security.kind'),
              anyLabel: t('security.anyKind'),
              options: eventKinds.map((value) => ({ value, label: t(`security.kinds.${value}`) })),
            },
          ]}
        />
      }
      renderCard={(event) => (
        <RowCard
          title={event.count > 1 ? `${texts.kind(event)} × ${format.number(event.count)}` : texts.kind(event)}
          lines={[texts.detail(event), event.userEmail, event.network, format.dateTime(event.lastAt)]}
        />
      )}
    >
      {useColumns()}
    </AdminList>
  );
}

function useColumns() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const texts = useEventTexts();
  const renderTime = (isoTime: string) => (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {format.dateTime(isoTime)}
    </Box>
  );
  return [
    <DataTable.Col<SecurityEvent>
      key="kind"
      source="kind"
      disableSort
      label={t('security.kind')}
      render={texts.kind}
    />,
    <DataTable.Col<SecurityEvent>
      key="detail"
      source="detail"
      disableSort
      label={t('security.detail')}
      render={texts.detail}
    />,
    <DataTable.Col<SecurityEvent>
      key="person"
      source="userEmail"
      disableSort
      label={t('security.person')}
      render={(event) => <TruncatedText>{texts.person(event)}</TruncatedText>}
    />,
    <DataTable.Col<SecurityEvent>
      key="network"
      source="network"
      disableSort
      label={t('security.network')}
      render={texts.network}
    />,
    <DataTable.NumberCol<SecurityEvent> key="count" source="count" label={t('security.count')} />,
    <DataTable.Col<SecurityEvent>
      key="firstAt"
      source="firstAt"
      label={t('security.first')}
      render={({ firstAt }) => renderTime(firstAt)}
    />,
    <DataTable.Col<SecurityEvent>
      key="lastAt"
      source="lastAt"
      label={t('security.last')}
      render={({ lastAt }) => renderTime(lastAt)}
    />,
  ];
}
