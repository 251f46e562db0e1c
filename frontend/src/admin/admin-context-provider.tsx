import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { CoreAdminContext, memoryStore } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../shared/hooks/use-format';
import { createAuthProvider } from './providers/auth-provider';
import { dataProvider } from './providers/data-provider';
import { createI18nProvider } from './providers/i18n-provider';
import { Notifications } from './ui/notifications';

/**
 * Provides what react-admin's components need inside the product's layout: its client, queries, texts and, because
 * nothing else here brings one, its theme. Filters may contain people's email addresses, so they are kept in memory
 * only.
 * @param basename the path of the screens, such as `/woocommerce-admin`
 */
export function AdminContextProvider({ basename, children }: { basename: string; children: ReactNode }) {
  const queryClient = useQueryClient();
  const { i18n } = useTranslation();
  const language = useLanguage();
  const [store] = useState(() => memoryStore());
  const authProvider = useMemo(() => createAuthProvider(queryClient), [queryClient]);
  const i18nProvider = useMemo(() => createI18nProvider(i18n, language), [i18n, language]);
  return (
    <CoreAdminContext
      basename={basename}
      queryClient={queryClient}
      store={store}
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
    >
      {children}
      <Notifications />
    </CoreAdminContext>
  );
}
