import type { Page } from '@playwright/test';
import { createHmac, randomUUID } from 'node:crypto';

/** What the journeys and the product that they start have agreed on with the senders. */
export const secrets = {
  WOOCOMMERCE_WEBHOOK_SECRET: 'the secret of the shop',
  ACEDUMY_WEBHOOK_SECRET: 'the secret of the premium service',
};

interface Order {
  id: number;
  email: string;
  productId: number;
}

/** Sends a paid order as the shop does, signed unless another secret is given, and gives the status of the answer. */
export async function sendOrder(
  page: Page,
  { id, email, productId }: Order,
  secret = secrets.WOOCOMMERCE_WEBHOOK_SECRET,
): Promise<number> {
  const body = JSON.stringify({
    id,
    status: 'completed',
    date_created_gmt: '2026-11-01T10:00:00',
    date_modified_gmt: '2026-11-01T10:05:00',
    billing: { first_name: 'Nur', last_name: 'Ak', email, phone: '+90 555 000 00 00' },
    line_items: [{ id: id * 10, name: 'Watercolour course', product_id: productId }],
    refunds: [],
  });
  const answer = await page.request.post('/api/webhooks/woocommerce', {
    data: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-delivery-id': randomUUID(),
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
  });
  return answer.status();
}
