import BoltRounded from '@mui/icons-material/BoltRounded';
import Box from '@mui/material/Box';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';

type StripeEvent = Schema<'StripeEventDto'>;
type Outcome = StripeEvent['outcome'];

const outcomeTones: Record<Outcome, BadgeTone> = {
  taken: 'success',
  'unknown-type': 'neutral',
  'unknown-customer': 'warning',
};
const outcomes = Object.keys(outcomeTones) as Outcome[];

/** Stripe events and their results. */
export function BillingEvents() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <AdminList<StripeEvent>
      resource="stripe-events"
      label={t('billing.events')}
      errorTitle={t('billing.eventsFailed')}
      empty={{ icon: <BoltRounded />, title: t('billing.empty'), text: t('billing.emptyText') }}
      sort={{ field: 'receivedAt', order: 'DESC' }}
      filters={<EventFilters />}
      renderCard={(event) => (
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

function EventFilters() {
  const { t } = useTranslation('admin');
  const options = outcomes.map((value) => ({ value, label: t(`billing.outcomes.${value}`) }));
  return (
    <ListFilters
      searchLabel={t('billing.search')}
      selects={[{ name: 'outcome', label: t('billing.outcome'), anyLabel: t('billing.anyOutcome'), options }]}
    />
  );
}

function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('admin');
  return <Badge tone={outcomeTones[outcome]}>{t(`billing.outcomes.${outcome}`)}</Badge>;
}

function useColumns() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return [
    <DataTable.Col<StripeEvent>
      key="type"
      source="type"
      label={t('billing.type')}
      render={({ type }) => <TruncatedText maxChars={48}>{type}</TruncatedText>}
    />,
    <DataTable.Col<StripeEvent>
      key="outcome"
      source="outcome"
      disableSort
      label={t('billing.outcome')}
      render={({ outcome }) => <OutcomeBadge outcome={outcome} />}
    />,
    <DataTable.Col<StripeEvent>
      key="person"
      source="userEmail"
      disableSort
      label={t('billing.person')}
      render={({ userEmail }) => <TruncatedText>{userEmail ?? t('list.none')}</TruncatedText>}
    />,
    <DataTable.Col<StripeEvent>
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
