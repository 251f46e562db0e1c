import { useTranslation } from 'react-i18next';
import { PremiumAdmin } from './premium-admin';

/** /acedumy-admin: subscriptions reported by the premium service. */
export function AcedumyAdminPage() {
  const { t } = useTranslation('integrations');
  return <PremiumAdmin sender="acedumy" title={t('acedumy.title')} description={t('acedumy.description')} />;
}
