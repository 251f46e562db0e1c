import type { Schema } from '../../shared/api/client';
import type { ResourceName } from '../resources';

/** Senders of webhooks: the shop, the premium service, and Stripe for the premium service. */
export type Sender = 'woocommerce' | 'acedumy' | 'stripe-acedumy';

export const toLogsResource = (sender: Sender) => `${sender}-logs` satisfies ResourceName;

/** Path of an endpoint that all senders share, typed like the shop's. */
export const toSenderPath = <Suffix extends string>(sender: Sender, suffix: Suffix) =>
  `/api/${sender}${suffix}` as `/api/woocommerce${Suffix}`;

/** A row of any log; fields that only some senders have are missing for the others. */
export type LoggedWebhook = Omit<Schema<'AcedumyWebhookDto'>, 'subscriptionId'> &
  Partial<Pick<Schema<'WooCommerceWebhookDto'>, 'orderId' | 'productId' | 'productName'>> &
  Partial<
    Pick<Schema<'StripeAcedumyWebhookDto'>, 'subscriptionId' | 'stripeEventId' | 'customerId' | 'priceId' | 'plan'>
  >;

export type WebhookStatus = LoggedWebhook['status'];

/** How often a delivery that is being processed is requested, in milliseconds. */
export const PROCESSING_POLL_INTERVAL = 2000;

/**
 * Whether it is being processed. Deliveries that wait for quota in a full zone are excluded; they have an error code.
 */
export const isBeingProcessed = ({ status, errorCode }: LoggedWebhook): boolean =>
  status === 'pending' && errorCode === null;
