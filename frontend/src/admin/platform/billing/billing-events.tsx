import BoltRounded from '@mui/icons-material/BoltRounded';
import Box from '@mui/material/Box';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { AdminList } from '../../ui/admin-list';
import { Cut } from '../../ui/cut';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';

type Event = Schema<'StripeEventDto'>;
type Outcome = Event['outcome'];

const tones: Record<Outcome, BadgeTone> = {
  taken: 'success',
  'unknown-type': 'neutral',
  'unknown-customer': 'warning',
};
const outcomes = Object.keys(tones) as Outcome[];

/** What Stripe told, and what became of it. */
export function BillingEvents() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <AdminList<Event>
      resource="stripe-events"
      label={t('billing.events')}
      failed={t('billing.eventsFailed')}
      empty={{ icon: <BoltRounded />, title: t('billing.empty'), text: t('billing.emptyText') }}
      sort={{ field: 'receivedAt', order: 'DESC' }}
      filters={<Filters />}
      card={(event) => (
        <RowCard
          title={event.type}
          badge={<OutcomeBadge outcome={event.outcome} />}
          lines={[event.userEmail, format.dateTime(event.receivedAt)]}
        />
      )}
    >
      {useColumns()}
    </AdminList>
  );
}

function Filters() {
  const { t } = useTranslation('admin');
  const options = outcomes.map((value) => ({ value, label: t(`billing.outcomes.${value}`) }));
  return (
    <ListFilters
      search={t('billing.search')}
      choices={[{ name: 'outcome', label: t('billing.outcome'), any: t('billing.anyOutcome'), options }]}
    />
  );
}

function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('admin');
  return <Badge tone={tones[outcome]}>{t(`billing.outcomes.${outcome}`)}</Badge>;
}

function useColumns() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return [
    <DataTable.Col<Event>
      key="type"
      source="type"
      label={t('billing.type')}
      render={({ type }) => <Cut chars={48}>{type}</Cut>}
    />,
    <DataTable.Col<Event>
      key="outcome"
      source="outcome"
      disableSort
      label={t('billing.outcome')}
      render={({ outcome }) => <OutcomeBadge outcome={outcome} />}
    />,
    <DataTable.Col<Event>
      key="person"
      source="userEmail"
      disableSort
      label={t('billing.person')}
      render={({ userEmail }) => <Cut>{userEmail ?? t('list.none')}</Cut>}
    />,
    <DataTable.Col<Event>
      key="receivedAt"
      source="receivedAt"
      label={t('billing.received')}
      render={({ receivedAt }) => (
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {format.dateTime(receivedAt)}
        </Box>
      )}
    />,
  ];
}
