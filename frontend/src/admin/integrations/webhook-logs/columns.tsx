import Link from '@mui/material/Link';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { DataTable } from 'react-admin';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { Cut } from '../../ui/cut';
import { ChooseAllWebhooks, ChooseWebhook } from './selected-webhooks';
import { StateBadge } from './state-badge';

type Texts = TFunction<'integrations'>;

interface Column {
  /** Field of the rows; the server sorts by it when `sorts`. */
  source: keyof LoggedWebhook;
  label: string;
  sorts?: boolean;
  cell?: (webhook: LoggedWebhook) => ReactNode;
}

/** The columns of a sender's log. The number opens the delivery by keyboard, as a click anywhere in the row does. */
export function columnsOf(sender: Sender, t: Texts, onOpen: (webhook: LoggedWebhook) => void): ReactNode[] {
  const number: Column = {
    source: 'id',
    label: t('logs.id'),
    sorts: true,
    cell: (webhook) => (
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
  const shared: Column[] = [
    { source: 'status', label: t('logs.status'), sorts: true, cell: (webhook) => <State webhook={webhook} /> },
    { source: 'emailSent', label: t('logs.mail'), cell: ({ emailSent }) => t(emailSent ? 'logs.yes' : 'logs.no') },
    { source: 'zoneName', label: t('logs.zone'), cell: (webhook) => <Zone webhook={webhook} t={t} /> },
    {
      source: 'processedAt',
      label: t('logs.processed'),
      sorts: true,
      cell: (row) => <Processed webhook={row} t={t} />,
    },
  ];
  const choose = (
    <DataTable.Col<LoggedWebhook>
      key="choose"
      disableSort
      label={<ChooseAllWebhooks />}
      render={({ id }) => <ChooseWebhook id={id} />}
    />
  );
  const facts = [number, ...ownColumns(sender, t), ...shared].map(({ source, label, sorts, cell }) => (
    <DataTable.Col<LoggedWebhook>
      key={source}
      source={source}
      label={label}
      disableSort={!sorts}
      render={cell ?? ((webhook) => <Cut chars={16}>{String(webhook[source] ?? t('logs.none'))}</Cut>)}
    />
  ));
  return [choose, ...facts];
}

function ownColumns(sender: Sender, t: Texts): Column[] {
  const customer: Column = { source: 'customerEmail', label: t('logs.customer'), sorts: true };
  const event: Column = {
    source: 'event',
    label: t('logs.event'),
    sorts: true,
    cell: (row) => <Event event={row.event} />,
  };
  if (sender === 'woocommerce') {
    return [
      { source: 'orderId', label: t('logs.order'), sorts: true },
      event,
      customer,
      { source: 'productName', label: t('logs.product'), cell: (webhook) => <Product webhook={webhook} t={t} /> },
    ];
  }
  const subscription: Column[] = [{ source: 'subscriptionId', label: t('logs.subscription') }, customer, event];
  if (sender === 'acedumy') return subscription;
  return [...subscription, { source: 'plan', label: t('logs.plan'), cell: (row) => planName(row, t) }];
}

/** The plan by its price; a price that the configuration does not name is said to be unknown. */
export function planName({ plan, priceId }: LoggedWebhook, t: Texts): string {
  return plan ?? (priceId ? t('logs.unknownPlan') : t('logs.none'));
}

/** Without what all events of a sender begin with: their ends tell them apart, and must not be cut off. */
function Event({ event }: { event: string }) {
  return (
    <Cut title={event} chars={22}>
      {event.replace(/^customer\./, '')}
    </Cut>
  );
}

/** How it stands, and why; the whole reason is in the tip, and with the delivery. */
function State({ webhook: { status, errorMessage } }: { webhook: LoggedWebhook }) {
  return (
    <>
      <StateBadge state={status} />
      {errorMessage && (
        <Typography component="div" variant="caption" color="textSecondary">
          <Cut chars={24}>{errorMessage}</Cut>
        </Typography>
      )}
    </>
  );
}

/** The product with its id in the shop below. */
function Product({ webhook: { productName, productId }, t }: { webhook: LoggedWebhook; t: Texts }) {
  return (
    <>
      <Cut chars={16}>{productName ?? t('logs.none')}</Cut>
      {productId && (
        <Typography component="div" variant="caption" color="textSecondary">
          <Cut chars={18} title={`${t('logs.productId')} ${productId}`}>
            {productId}
          </Cut>
        </Typography>
      )}
    </>
  );
}

function Zone({ webhook: { zoneId, zoneName }, t }: { webhook: LoggedWebhook; t: Texts }) {
  return (
    <Cut chars={16}>
      {zoneId === null ? t('logs.none') : t('logs.zoneWithId', { name: zoneName ?? '', id: zoneId })}
    </Cut>
  );
}

function Processed({ webhook: { processedAt }, t }: { webhook: LoggedWebhook; t: Texts }) {
  const format = useFormat();
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {processedAt ? format.dateTime(processedAt) : t('logs.notYet')}
    </Box>
  );
}
