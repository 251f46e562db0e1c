import ShieldRounded from '@mui/icons-material/ShieldRounded';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { AdminList } from '../../ui/admin-list';
import { AsTable } from '../../ui/as-table';
import { Cut } from '../../ui/cut';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
import { latePart } from '../../../shared/ui/late-part';
import { securityFigures } from './security-figures';

// The charts are large, and only some tabs draw them.
const SecurityChart = latePart(
  () => import('./security-chart').then((m) => m.SecurityChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const chartHeight = 240;

type Event = Schema<'SecurityEventDto'>;
const kinds = [
  ...(['sign-in-failed', 'confirmation-failed', 'locked-out', 'webhook-refused'] as const),
  ...(['token-network', 'new-device'] as const),
] satisfies readonly Event['kind'][];

/** What failed or was new at the doors of the installation: by day, and the last of it. */
export function Security() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Days />
      <Events />
    </Box>
  );
}

function Days() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { data: days, error, refetch } = $api.useQuery('get', '/api/admin/security/days');
  if (error && !days) return <ErrorState title={t('security.daysFailed')} error={error} onRetry={refetch} />;
  const waiting = <Skeleton variant="rounded" height={chartHeight} />;
  return (
    <SectionCard title={t('security.days')} text={t('overview.lastDaysUtc')}>
      {days ? <SecurityChart days={days} height={chartHeight} /> : waiting}
      {days && (
        <AsTable
          label={t('security.figures')}
          columns={[t('security.day'), ...securityFigures.map((figure) => t(`security.${figure}`))]}
          rows={days
            .toReversed()
            .map((day) => [
              format.day(day.day, 'whole'),
              ...securityFigures.map((figure) => format.number(day[figure])),
            ])}
        />
      )}
    </SectionCard>
  );
}

/** What a row tells, in words. */
function useWords() {
  const { t } = useTranslation('admin');
  return {
    kind: ({ kind }: Event) => t(`security.kinds.${kind}`),
    person: ({ userEmail, userId }: Event) =>
      userEmail ?? (userId === null ? t('list.none') : t('audit.former', { id: userId })),
    network: ({ network }: Event) => network ?? t('list.none'),
    detail: ({ detail }: Event) =>
      t(`security.details.${detail as 'password'}`, { defaultValue: detail || t('list.none') }),
  };
}

function Events() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const words = useWords();
  return (
    <AdminList<Event>
      resource="security-events"
      label={t('security.list')}
      failed={t('security.failed')}
      empty={{ icon: <ShieldRounded />, title: t('security.empty'), text: t('security.emptyText') }}
      sort={{ field: 'lastAt', order: 'DESC' }}
      filters={
        <ListFilters
          search={t('security.search')}
          choices={[
            {
              name: 'kind',
              label: t('security.kind'),
              any: t('security.anyKind'),
              options: kinds.map((value) => ({ value, label: t(`security.kinds.${value}`) })),
            },
          ]}
        />
      }
      card={(event) => (
        <RowCard
          title={event.count > 1 ? `${words.kind(event)} × ${format.number(event.count)}` : words.kind(event)}
          lines={[words.detail(event), event.userEmail, event.network, format.dateTime(event.lastAt)]}
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
  const words = useWords();
  const time = (at: string) => (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {format.dateTime(at)}
    </Box>
  );
  return [
    <DataTable.Col<Event> key="kind" source="kind" disableSort label={t('security.kind')} render={words.kind} />,
    <DataTable.Col<Event>
      key="detail"
      source="detail"
      disableSort
      label={t('security.detail')}
      render={words.detail}
    />,
    <DataTable.Col<Event>
      key="person"
      source="userEmail"
      disableSort
      label={t('security.person')}
      render={(event) => <Cut>{words.person(event)}</Cut>}
    />,
    <DataTable.Col<Event>
      key="network"
      source="network"
      disableSort
      label={t('security.network')}
      render={words.network}
    />,
    <DataTable.NumberCol<Event> key="count" source="count" label={t('security.count')} />,
    <DataTable.Col<Event>
      key="firstAt"
      source="firstAt"
      label={t('security.first')}
      render={({ firstAt }) => time(firstAt)}
    />,
    <DataTable.Col<Event>
      key="lastAt"
      source="lastAt"
      label={t('security.last')}
      render={({ lastAt }) => time(lastAt)}
    />,
  ];
}
