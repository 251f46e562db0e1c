import WebhookRounded from '@mui/icons-material/WebhookRounded';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { RecordLink } from '../../ui/list/record-link';
import { BulkActions, SelectColumn } from '../../ui/list/selection';
import { TruncatedText } from '../../ui/truncated-text';
import {
  isBeingProcessed,
  PROCESSING_POLL_INTERVAL,
  toLogsResource,
  type LoggedWebhook,
  type Sender,
  type WebhookStatus,
} from '../senders';
import { formatPlanName } from './format-plan-name';
import { ReplaySelectionButton } from './replay-selection-button';
import { WebhookDrawer } from './webhook-drawer';
import { WebhookStatusBadge } from './webhook-status-badge';
import { WebhookSummary } from './webhook-summary';

const webhookStatuses: WebhookStatus[] = ['pending', 'completed', 'failed'];

/** A sender's deliveries: figures, filters, list, and the details of one. */
export function WebhookLogs({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const isShop = sender === 'woocommerce';
  const renderTitle = (webhook: LoggedWebhook) => {
    const text = webhook.customerEmail ?? t('detail.title', { id: webhook.id });
    // People who speak to the page say what they see, so the name of the link begins with its text.
    return <RecordLink label={`${text} – ${t('logs.open', { id: webhook.id })}`}>{text}</RecordLink>;
  };
  return (
    <List<LoggedWebhook>
      resource={toLogsResource(sender)}
      label={t('logs.list')}
      errorTitle={t('logs.failedToLoad')}
      empty={{ icon: <WebhookRounded />, title: t('logs.emptyTitle'), text: t('logs.emptyText') }}
      noResults={{ title: t('logs.nothingFound'), text: t('logs.nothingFoundText') }}
      queryOptions={{
        refetchInterval: ({ state }) => (state.data?.data.some(isBeingProcessed) ? PROCESSING_POLL_INTERVAL : false),
      }}
      header={<WebhookSummary sender={sender} />}
      filters={<WebhookFilters />}
      bulkActions={
        <BulkActions
          formatCount={(count) => t('selection.chosen', { count, formatted: format.number(count) })}
          clearLabel={t('selection.clear')}
        >
          <ReplaySelectionButton sender={sender} />
        </BulkActions>
      }
      aside={<WebhookDrawer sender={sender} />}
    >
      <SelectColumn<LoggedWebhook>
        selectAllLabel={t('selection.all')}
        getLabel={({ id }) => t('selection.choose', { id })}
      />
      <Column<LoggedWebhook> onlyInCard inCard="title" render={renderTitle} />
      <Column<LoggedWebhook>
        source="id"
        label={t('logs.id')}
        inCard="hidden"
        render={({ id }) => <RecordLink label={t('logs.open', { id })}>{id}</RecordLink>}
      />
      {isShop ? (
        <Column<LoggedWebhook> source="orderId" label={t('logs.order')} hasCardLabel maxChars={16} />
      ) : (
        <Column<LoggedWebhook> source="subscriptionId" disableSort label={t('logs.subscription')} maxChars={16} />
      )}
      <Column<LoggedWebhook>
        source="event"
        label={t('logs.event')}
        render={({ event }) => <EventText event={event} />}
      />
      <Column<LoggedWebhook> source="customerEmail" label={t('logs.customer')} inCard="hidden" maxChars={16} />
      {isShop && (
        <Column<LoggedWebhook>
          source="productName"
          disableSort
          label={t('logs.product')}
          render={(webhook) => <ProductText webhook={webhook} />}
        />
      )}
      {sender === 'stripe-acedumy' && (
        <Column<LoggedWebhook>
          source="plan"
          disableSort
          label={t('logs.plan')}
          render={(webhook) => formatPlanName(webhook, t)}
        />
      )}
      <Column<LoggedWebhook>
        source="status"
        label={t('logs.status')}
        inCard="hidden"
        render={(webhook) => <StatusText webhook={webhook} />}
      />
      <Column<LoggedWebhook>
        onlyInCard
        inCard="badge"
        render={({ status }) => <WebhookStatusBadge status={status} />}
      />
      <Column<LoggedWebhook> onlyInCard source="errorMessage" />
      <Column<LoggedWebhook>
        source="emailSent"
        disableSort
        label={t('logs.mail')}
        inCard="inline"
        hasCardLabel
        render={({ emailSent }) => t(emailSent ? 'logs.yes' : 'logs.no')}
      />
      <Column<LoggedWebhook>
        source="zoneName"
        disableSort
        label={t('logs.zone')}
        maxChars={16}
        render={({ zoneId, zoneName }) =>
          zoneId === null ? null : t('logs.zoneWithId', { name: zoneName ?? '', id: zoneId })
        }
      />
      <DateColumn<LoggedWebhook>
        source="processedAt"
        label={t('logs.processed')}
        showTime
        emptyText={t('logs.notYet')}
      />
    </List>
  );
}

function WebhookFilters() {
  const { t } = useTranslation('integrations');
  return (
    <>
      <SearchFilter label={t('logs.search')} />
      <SelectFilter
        source="status"
        label={t('logs.status')}
        emptyText={t('logs.anyState')}
        choices={webhookStatuses.map((value) => ({ value, label: t(`logs.states.${value}`) }))}
      />
    </>
  );
}

/** Drops the prefix that all events of a sender share: their endings distinguish them and must not be truncated. */
function EventText({ event }: { event: string }) {
  return (
    <TruncatedText tooltip={event} maxChars={22}>
      {event.replace(/^customer\./, '')}
    </TruncatedText>
  );
}

/** Status and reason; the full reason is in the tooltip and in the details. */
function StatusText({ webhook: { status, errorMessage } }: { webhook: LoggedWebhook }) {
  return (
    <>
      <WebhookStatusBadge status={status} />
      {errorMessage && <SecondLine maxChars={24}>{errorMessage}</SecondLine>}
    </>
  );
}

/** The product, with its id in the shop below. */
function ProductText({ webhook: { productName, productId } }: { webhook: LoggedWebhook }) {
  const { t } = useTranslation('integrations');
  return (
    <>
      <TruncatedText maxChars={16}>{productName ?? t('logs.none')}</TruncatedText>
      {productId && (
        <SecondLine maxChars={18} tooltip={`${t('logs.productId')} ${productId}`}>
          {productId}
        </SecondLine>
      )}
    </>
  );
}

function SecondLine(props: Parameters<typeof TruncatedText>[0]) {
  return (
    <Typography component="span" variant="caption" color="textSecondary">
      <TruncatedText {...props} />
    </Typography>
  );
}
