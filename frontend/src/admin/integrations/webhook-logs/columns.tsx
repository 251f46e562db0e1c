import Link from '@mui/material/Link';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { DataTable } from 'react-admin';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { TruncatedText } from '../../ui/truncated-text';
import { SelectAllWebhooksCheckbox, SelectWebhookCheckbox } from './webhook-selection';
import { WebhookStatusBadge } from './webhook-status-badge';

type Translate = TFunction<'integrations'>;

interface Column {
  /** Field of the rows; the server sorts by it if `isSortable` is set. */
  source: keyof LoggedWebhook;
  label: string;
  isSortable?: boolean;
  renderCell?: (webhook: LoggedWebhook) => ReactNode;
}

/** Columns of a sender's log. The number is a button, so that a row can be opened by keyboard as well as by click. */
export function createColumns(sender: Sender, t: Translate, onOpen: (webhook: LoggedWebhook) => void): ReactNode[] {
  const idColumn: Column = {
    source: 'id',
    label: t('logs.id'),
    isSortable: true,
    renderCell: (webhook) => (
      <Link
        component="button"
        type="button"
        aria-label={t('logs.open', { id: webhook.id })}
        onClick={() => onOpen(webhook)}
      >
        {webhook.id}
      </Link>
    ),
  };
  const sharedColumns: Column[] = [
    {
      source: 'status',
      label: t('logs.status'),
      isSortable: true,
      renderCell: (webhook) => <StatusCell webhook={webhook} />,
    },
    {
      source: 'emailSent',
      label: t('logs.mail'),
      renderCell: ({ emailSent }) => t(emailSent ? 'logs.yes' : 'logs.no'),
    },
    { source: 'zoneName', label: t('logs.zone'), renderCell: (webhook) => <ZoneCell webhook={webhook} t={t} /> },
    {
      source: 'processedAt',
      label: t('logs.processed'),
      isSortable: true,
      renderCell: (row) => <ProcessedCell webhook={row} t={t} />,
    },
  ];
  const selectColumn = (
    <DataTable.Col<LoggedWebhook>
      key="choose"
      disableSort
      label={<SelectAllWebhooksCheckbox />}
      render={({ id }) => <SelectWebhookCheckbox id={id} />}
    />
  );
  const dataColumns = [idColumn, ...createSenderColumns(sender, t), ...sharedColumns].map(
    ({ source, label, isSortable, renderCell }) => (
      <DataTable.Col<LoggedWebhook>
        key={source}
        source={source}
        label={label}
        disableSort={!isSortable}
        render={
          renderCell ??
          ((webhook) => <TruncatedText maxChars={16}>{String(webhook[source] ?? t('logs.none'))}</TruncatedText>)
        }
      />
    ),
  );
  return [selectColumn, ...dataColumns];
}

function createSenderColumns(sender: Sender, t: Translate): Column[] {
  const customerColumn: Column = { source: 'customerEmail', label: t('logs.customer'), isSortable: true };
  const eventColumn: Column = {
    source: 'event',
    label: t('logs.event'),
    isSortable: true,
    renderCell: (row) => <EventCell event={row.event} />,
  };
  if (sender === 'woocommerce') {
    return [
      { source: 'orderId', label: t('logs.order'), isSortable: true },
      eventColumn,
      customerColumn,
      {
        source: 'productName',
        label: t('logs.product'),
        renderCell: (webhook) => <ProductCell webhook={webhook} t={t} />,
      },
    ];
  }
  const subscriptionColumns: Column[] = [
    { source: 'subscriptionId', label: t('logs.subscription') },
    customerColumn,
    eventColumn,
  ];
  if (sender === 'acedumy') return subscriptionColumns;
  return [
    ...subscriptionColumns,
    { source: 'plan', label: t('logs.plan'), renderCell: (row) => formatPlanName(row, t) },
  ];
}

/** The plan of a price; "unknown" for prices that aren't configured. */
export function formatPlanName({ plan, priceId }: LoggedWebhook, t: Translate): string {
  return plan ?? (priceId ? t('logs.unknownPlan') : t('logs.none'));
}

/** Drops the prefix that all events of a sender share: their endings distinguish them and must not be truncated. */
function EventCell({ event }: { event: string }) {
  return (
    <TruncatedText tooltip={event} maxChars={22}>
      {event.replace(/^customer\./, '')}
    </TruncatedText>
  );
}

/** Status and reason; the full reason is in the tooltip and in the details. */
function StatusCell({ webhook: { status, errorMessage } }: { webhook: LoggedWebhook }) {
  return (
    <>
      <WebhookStatusBadge status={status} />
      {errorMessage && (
        <Typography component="div" variant="caption" color="textSecondary">
          <TruncatedText maxChars={24}>{errorMessage}</TruncatedText>
        </Typography>
      )}
    </>
  );
}

/** The product, with its id in the shop below. */
function ProductCell({ webhook: { productName, productId }, t }: { webhook: LoggedWebhook; t: Translate }) {
  return (
    <>
      <TruncatedText maxChars={16}>{productName ?? t('logs.none')}</TruncatedText>
      {productId && (
        <Typography component="div" variant="caption" color="textSecondary">
          <TruncatedText maxChars={18} tooltip={`${t('logs.productId')} ${productId}`}>
            {productId}
          </TruncatedText>
        </Typography>
      )}
    </>
  );
}

function ZoneCell({ webhook: { zoneId, zoneName }, t }: { webhook: LoggedWebhook; t: Translate }) {
  return (
    <TruncatedText maxChars={16}>
      {zoneId === null ? t('logs.none') : t('logs.zoneWithId', { name: zoneName ?? '', id: zoneId })}
    </TruncatedText>
  );
}

function ProcessedCell({ webhook: { processedAt }, t }: { webhook: LoggedWebhook; t: Translate }) {
  const format = useFormat();
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {processedAt ? format.dateTime(processedAt) : t('logs.notYet')}
    </Box>
  );
}
