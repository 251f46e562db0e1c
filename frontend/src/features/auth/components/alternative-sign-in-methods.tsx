import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Sign-in methods without a password, below a divider; empty if there are none. */
export function AlternativeSignInMethods({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth');
  return (
    <div className="z-auth-alternatives">
      <div className="z-auth-or">{t('sso.or')}</div>
      {children}
    </div>
  );
}
