import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/ui/page-header';
import { AdminContextProvider } from '../admin-context-provider';
import { AdminTabs } from '../ui/admin-tabs';
import { IntegrationInfo } from './integration-info/integration-info';
import type { Sender } from './senders';
import { WebhookLogs } from './webhook-logs/webhook-logs';

interface Props {
  sender: Sender;
  title: string;
  description: string;
}

/** Common parts of the premium service's screens: its deliveries and how to connect it. */
export function PremiumAdmin({ sender, title, description }: Props) {
  const { t } = useTranslation('integrations');
  const basePath = `/${sender}-admin`;
  return (
    <AdminContextProvider basename={basePath}>
      <PageHeader title={title} description={description} />
      <AdminTabs
        label={t('tabs.label')}
        basePath={basePath}
        tabs={[
          { name: '', label: t('tabs.premiumLogs'), content: <WebhookLogs sender={sender} />, hasRecords: true },
          { name: 'info', label: t('tabs.info'), content: <IntegrationInfo sender={sender} /> },
        ]}
      />
    </AdminContextProvider>
  );
}
