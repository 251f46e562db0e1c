import BoltRounded from '@mui/icons-material/BoltRounded';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';

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
  return (
    <List<StripeEvent>
      resource="stripe-events"
      label={t('billing.events')}
      errorTitle={t('billing.eventsFailed')}
      empty={{ icon: <BoltRounded />, title: t('billing.empty'), text: t('billing.emptyText') }}
      sort={{ field: 'receivedAt', order: 'DESC' }}
      filters={<EventFilters />}
    >
      <Column<StripeEvent> source="type" label={t('billing.type')} inCard="title" maxChars={48} />
      <Column<StripeEvent>
        source="outcome"
        disableSort
        label={t('billing.outcome')}
        inCard="badge"
        render={({ outcome }) => <OutcomeBadge outcome={outcome} />}
      />
      <Column<StripeEvent> source="userEmail" disableSort label={t('billing.person')} maxChars={32} />
      <DateColumn<StripeEvent> source="receivedAt" label={t('billing.received')} showTime />
    </List>
  );
}

function EventFilters() {
  const { t } = useTranslation('admin');
  return (
    <>
      <SearchFilter label={t('billing.search')} />
      <SelectFilter
        source="outcome"
        label={t('billing.outcome')}
        emptyText={t('billing.anyOutcome')}
        choices={outcomes.map((value) => ({ value, label: t(`billing.outcomes.${value}`) }))}
      />
    </>
  );
}

function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('admin');
  return <Badge tone={outcomeTones[outcome]}>{t(`billing.outcomes.${outcome}`)}</Badge>;
}
