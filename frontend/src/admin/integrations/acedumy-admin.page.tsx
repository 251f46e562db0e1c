import { useTranslation } from 'react-i18next';
import { PremiumAdmin } from './premium-admin';

/** /acedumy-admin: subscriptions that the premium service told of. */
export function AcedumyAdminPage() {
  const { t } = useTranslation('integrations');
  return <PremiumAdmin sender="acedumy" title={t('acedumy.title')} description={t('acedumy.description')} />;
}
