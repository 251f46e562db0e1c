import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/ui/page-header';
import { AdminContextProvider } from '../admin-context-provider';
import { AdminTabs } from '../ui/admin-tabs';
import { IntegrationInfoButton } from './integration-info/info-button';
import { ProductMappings } from './product-mappings/product-mappings';
import { WebhookLogs } from './webhook-logs/webhook-logs';

const BASE_PATH = '/woocommerce-admin';

/** /woocommerce-admin: product mappings and received orders. */
export function WooCommerceAdminPage() {
  const { t } = useTranslation('integrations');
  return (
    <AdminContextProvider basename={BASE_PATH}>
      <PageHeader
        title={t('woocommerce.title')}
        description={t('woocommerce.description')}
        actions={<IntegrationInfoButton sender="woocommerce" />}
      />
      <AdminTabs
        label={t('tabs.label')}
        basePath={BASE_PATH}
        tabs={[
          { name: '', label: t('tabs.mappings'), content: <ProductMappings /> },
          {
            name: 'webhook-logs',
            label: t('tabs.logs'),
            content: <WebhookLogs sender="woocommerce" />,
            hasRecords: true,
          },
        ]}
      />
    </AdminContextProvider>
  );
}
