import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { PublicButton } from '../../../shared/public-ui/public-button';
import { useSite } from '../../../shared/site/use-site';
import { toast } from '../../../shared/toast/toast-store';

interface Props {
  /** Internal path to return to. */
  next?: string;
}

/** Button for single sign-on, if a provider is configured. */
export function SingleSignOnButton({ next }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const provider = useSite().data?.singleSignOn;
  const startSignIn = useMutation({
    mutationFn: async () => {
      const { data } = await api.POST('/api/single-sign-on', { body: { next } });
      if (!data) throw new ApiError(200, 'UNREADABLE', '');
      return data.url;
    },
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => toast.error(t('login.failed'), errorText(error)),
  });
  if (!provider) return null;
  return (
    // Keeps loading until the browser has navigated: a second click would start another sign-in.
    <PublicButton
      className="z-button-wide"
      isPending={startSignIn.isPending || startSignIn.isSuccess}
      onClick={() => startSignIn.mutate()}
    >
      {t('sso.continue', { provider })}
    </PublicButton>
  );
}

const TRANSLATED_ERROR_CODES = [
  'SSO_UNAVAILABLE',
  'SSO_EXPIRED',
  'SSO_REFUSED',
  'SSO_EMAIL_UNVERIFIED',
  'SSO_OFF',
  'ACCOUNT_DEACTIVATED',
  'TOO_MANY_REQUESTS',
] as const;

/** Shows the error of a failed single sign-on; its code is in the URL. */
export function SingleSignOnError({ code }: { code: string }) {
  const { t } = useTranslation('auth');
  const knownCode = TRANSLATED_ERROR_CODES.find((known) => known === code) ?? 'SSO_REFUSED';
  return (
    <p className="z-notice z-notice-danger" role="alert">
      {t(`sso.failures.${knownCode}`)}
    </p>
  );
}
