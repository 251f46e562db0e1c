import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';
import { useSite } from './use-site';

/** Whether a mail server is configured, for public pages; true until known. */
export const useIsEmailEnabled = (): boolean => useSite().data?.sendsEmail !== false;

/**
 * Tells users who wait for an email that none will come. Renders nothing where emails are sent.
 * @param isAhead whether the email isn't requested yet, so that nobody fills in a form that can't succeed
 */
export function EmailsNotSentNotice({ isAhead = false }: { isAhead?: boolean }) {
  const { t } = useTranslation();
  if (useIsEmailEnabled()) return null;
  return (
    <p className="z-notice z-notice-warning" role="note">
      {t(isAhead ? 'email.noneWillCome' : 'email.noneComes')}
    </p>
  );
}

/** Returns the title of a page that waits for an email, which says so where the email wasn't sent. */
export function useEmailSentTitle(): (sentTitle: string) => string {
  const { t } = useTranslation();
  const isEmailEnabled = useIsEmailEnabled();
  return (sentTitle) => (isEmailEnabled ? sentTitle : t('email.notSent'));
}

/** Shows a toast to signed-out users: that an email was sent, or that it wasn't because no mail server is set. */
export function usePublicEmailToast(): (title: string, message?: string) => void {
  const { t } = useTranslation();
  const isEmailEnabled = useIsEmailEnabled();
  return (title, message) =>
    isEmailEnabled
      ? toast.success(title, message)
      : toast.show({ title: t('email.notSent'), message: t('email.noneComes') });
}
