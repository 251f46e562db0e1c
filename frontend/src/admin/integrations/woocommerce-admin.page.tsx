import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/ui/page-header';
import { AdminFrame } from '../admin-frame';
import { AdminTabs } from '../ui/admin-tabs';
import { InfoButton } from './integration-info/info-button';
import { ProductMappings } from './product-mappings/product-mappings';
import { WebhookLogs } from './webhook-logs/webhook-logs';

const base = '/woocommerce-admin';

/** /woocommerce-admin: which product opens which zone, and the orders that came. */
export function WooCommerceAdminPage() {
  const { t } = useTranslation('integrations');
  return (
    <AdminFrame basename={base}>
      <PageHeader
        title={t('woocommerce.title')}
        description={t('woocommerce.description')}
        actions={<InfoButton sender="woocommerce" />}
      />
      <AdminTabs
        label={t('tabs.label')}
        base={base}
        tabs={[
          { name: '', label: t('tabs.mappings'), content: <ProductMappings /> },
          { name: 'webhook-logs', label: t('tabs.logs'), content: <WebhookLogs sender="woocommerce" /> },
        ]}
      />
    </AdminFrame>
  );
}
