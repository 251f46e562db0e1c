import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';
import { useSite } from './use-site';

/** Whether an email server is set up, as public pages know it; until that is known, one is. */
export const useIsEmailEnabled = (): boolean => useSite().data?.sendsEmail !== false;

/** Says where somebody waits for an email that none will come. Nothing where emails are sent. */
export function EmailsNotSentNotice() {
  const { t } = useTranslation();
  if (useIsEmailEnabled()) return null;
  return (
    <p className="z-notice z-notice-warning" role="note">
      {t('email.noneComes')}
    </p>
  );
}

/** Tells somebody who is not signed in that an email goes out, or that it wasn’t sent where no email server is set up. */
export function usePublicEmailToast(): (title: string, message?: string) => void {
  const { t } = useTranslation();
  const isEmailEnabled = useIsEmailEnabled();
  return (title, message) =>
    isEmailEnabled
      ? toast.success(title, message)
      : toast.show({ title: t('email.notSent'), message: t('email.noneComes') });
}
