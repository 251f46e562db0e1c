import { useTranslation } from 'react-i18next';
import { useSignedInUser } from '../../shared/api/current-user';
import { PageHeader } from '../../shared/ui/page-header';
import { AdminContextProvider } from '../admin-context-provider';
import { AdminTabs } from '../ui/admin-tabs';
import { Billing } from './billing/billing';
import { Installation } from './installation/installation';
import { Jobs } from './jobs/jobs';
import { ActivityLog } from './logs/activity-log';
import { AuditLog } from './logs/audit-log';
import { Overview } from './overview/overview';
import { Security } from './security/security';
import { Suggestions } from './suggestions/suggestions';
import { Suppressions } from './suppressions/suppressions';
import { System } from './system/system';
import { Users } from './users/users';
import { Zones } from './zones/zones';

const BASE_PATH = '/admin';

/** /admin: the whole installation, for administrators. Each section has its own URL. */
export function AdminPage() {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const installationTab = { name: 'installation', label: t('tabs.installation'), content: <Installation /> };
  return (
    <AdminContextProvider basename={BASE_PATH}>
      <PageHeader title={t('title')} description={t('description')} />
      <AdminTabs
        label={t('tabs.label')}
        basePath={BASE_PATH}
        tabs={[
          { name: '', label: t('tabs.overview'), content: <Overview /> },
          { name: 'users', label: t('tabs.users'), content: <Users />, hasRecords: true },
          { name: 'zones', label: t('tabs.zones'), content: <Zones /> },
          { name: 'activity', label: t('tabs.activity'), content: <ActivityLog /> },
          { name: 'audit-log', label: t('tabs.audit'), content: <AuditLog />, hasRecords: true },
          { name: 'billing', label: t('tabs.billing'), content: <Billing /> },
          { name: 'security', label: t('tabs.security'), content: <Security /> },
          { name: 'jobs', label: t('tabs.jobs'), content: <Jobs />, hasRecords: true },
          { name: 'suppressions', label: t('tabs.suppressions'), content: <Suppressions /> },
          { name: 'suggestions', label: t('tabs.suggestions'), content: <Suggestions /> },
          ...(isSuperAdmin ? [installationTab] : []),
          { name: 'system', label: t('tabs.system'), content: <System /> },
        ]}
      />
    </AdminContextProvider>
  );
}
