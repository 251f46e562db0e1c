import type { Schema } from '../../shared/api/client';
import type { ResourceName } from '../resources';

/** Who sends webhooks: the shop, the premium service, and Stripe for the premium service. */
export type Sender = 'woocommerce' | 'acedumy' | 'stripe-acedumy';

export const toLogsResource = (sender: Sender) => `${sender}-logs` satisfies ResourceName;

/** A call that all senders have alike, typed as that of the shop. */
export const toSenderPath = <Suffix extends string>(sender: Sender, suffix: Suffix) =>
  `/api/${sender}${suffix}` as `/api/woocommerce${Suffix}`;

/** A row of any of the logs; what only some senders tell is left out by the others. */
export type LoggedWebhook = Omit<Schema<'AcedumyWebhookDto'>, 'subscriptionId'> &
  Partial<Pick<Schema<'WooCommerceWebhookDto'>, 'orderId' | 'productId' | 'productName'>> &
  Partial<
    Pick<Schema<'StripeAcedumyWebhookDto'>, 'subscriptionId' | 'stripeEventId' | 'customerId' | 'priceId' | 'plan'>
  >;

export type WebhookStatus = LoggedWebhook['status'];

/** Whether it is being processed; one that waits for a place in a full zone says so by a code. */
export const isBeingProcessed = ({ status, errorCode }: LoggedWebhook): boolean =>
  status === 'pending' && errorCode === null;
