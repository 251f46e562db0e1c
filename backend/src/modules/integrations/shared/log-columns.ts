import type { LogFields } from './payload-fields.js';

/** Maps the displayed fields of a delivery to columns. */
export const toLogColumns = (fields: LogFields) => ({
  order_id: fields.orderId ?? null,
  product_id: fields.productId ?? null,
  product_name: fields.productName ?? null,
  subscription_id: fields.subscriptionId ?? null,
  customer_id: fields.customerId ?? null,
  price_id: fields.priceId ?? null,
  customer_email: fields.customerEmail ?? null,
  customer_name: fields.customerName ?? null,
});
