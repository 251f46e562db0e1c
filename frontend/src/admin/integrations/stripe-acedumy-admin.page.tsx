import { useTranslation } from 'react-i18next';
import { PremiumAdmin } from './premium-admin';

/** /stripe-acedumy-admin: subscriptions to the premium service reported by Stripe. */
export function StripeAcedumyAdminPage() {
  const { t } = useTranslation('integrations');
  return (
    <PremiumAdmin
      sender="stripe-acedumy"
      title={t('stripeAcedumy.title')}
      description={t('stripeAcedumy.description')}
    />
  );
}
