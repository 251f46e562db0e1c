import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { DefinitionList } from '../../ui/definition-list';
import { formatPlanName } from './format-plan-name';

/** Everything known about a delivery except its body. */
export function WebhookDetails({ sender, webhook }: { sender: Sender; webhook: LoggedWebhook }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const { zoneId, zoneName, customerName, customerEmail, createdAt, processedAt } = webhook;
  const orderItems = [
    [t('logs.order'), webhook.orderId],
    [t('logs.product'), webhook.productName],
    [t('logs.productId'), webhook.productId],
  ] as const;
  const stripeItems = [
    [t('logs.plan'), formatPlanName(webhook, t)],
    [t('detail.price'), webhook.priceId],
    [t('detail.stripeCustomer'), webhook.customerId],
    [t('detail.stripeEvent'), webhook.stripeEventId],
  ] as const;
  return (
    <DefinitionList
      label={t('detail.facts')}
      items={[
        [t('logs.event'), webhook.event],
        [t('logs.received'), format.dateTime(createdAt)],
        [t('logs.processed'), processedAt ? format.dateTime(processedAt) : t('logs.notYet')],
        [t('logs.customer'), [customerName, customerEmail].filter(Boolean).join(' · ')],
        ...(sender === 'woocommerce' ? orderItems : ([[t('logs.subscription'), webhook.subscriptionId]] as const)),
        ...(sender === 'stripe-acedumy' ? stripeItems : []),
        [t('logs.zone'), zoneId === null ? null : t('logs.zoneWithId', { name: zoneName ?? '', id: zoneId })],
        [t('detail.membershipCreated'), webhook.membershipCreated ? t('logs.yes') : t('logs.no')],
        [t('detail.emailSent'), webhook.emailSent ? t('logs.yes') : t('logs.no')],
      ]}
    />
  );
}
