import type { Shown } from './reading.js';

/** What the log shows of a delivery, as the columns of its row. */
export const columnsOf = (shown: Shown) => ({
  order_id: shown.orderId ?? null,
  product_id: shown.productId ?? null,
  product_name: shown.productName ?? null,
  subscription_id: shown.subscriptionId ?? null,
  customer_id: shown.customerId ?? null,
  price_id: shown.priceId ?? null,
  customer_email: shown.customerEmail ?? null,
  customer_name: shown.customerName ?? null,
});
