import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { internalPath } from '../../../shared/format/internal-path';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { PublicButton } from '../../../shared/public-ui/public-button';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import { toast } from '../../../shared/toast/toast-store';
import { AuthCard } from '../components/auth-card';
import { SecondFactorStep, type Factor } from '../components/second-factor-step';
import { useSignInCompletion } from '../use-sign-in-completion';
import { pendingEmailSignInStorage } from './pending-email-sign-in-storage';

/** /sign-in: the target of the link in a sign-in email. Only the button signs in, because email scanners open links. */
export function SignInLinkPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const [isRejected, setIsRejected] = useState(false);
  const isUsable = useIsLinkUsable(token);
  if (!token || isRejected || isUsable === false) {
    return (
      <PublicFrame centred>
        <AuthCard title={t('byMail.invalid')} text={t('byMail.unusable')}>
          <Link className="z-button z-button-main" to="/auth">
            {t('byMail.askAgain')}
          </Link>
        </AuthCard>
      </PublicFrame>
    );
  }
  const destination = internalPath(query.get('next'), '/');
  return (
    <PublicFrame centred>
      {isUsable && <SignInByLink token={token} destination={destination} onInvalid={() => setIsRejected(true)} />}
    </PublicFrame>
  );
}

/**
 * Whether the link can be used; undefined while loading. If the check fails, the link is assumed valid: the button will
 * show the error.
 */
function useIsLinkUsable(token: string): boolean | undefined {
  const { data, error } = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: async () => (await api.POST('/api/sign-in-links/check', { body: { token } })).data!.usable,
    enabled: token !== '',
    staleTime: Infinity,
    gcTime: 0,
  });
  return error ? true : data;
}

interface Props {
  token: string;
  destination: string;
  onInvalid: () => void;
}

function SignInByLink({ token, destination, onInvalid }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const completion = useSignInCompletion({ destination });
  const [isPending, setIsPending] = useState(false);
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const signIn = async () => {
    setIsPending(true);
    try {
      const { data } = await api.POST('/api/sign-in-links', { body: { token } });
      pendingEmailSignInStorage.clear();
      if (data && 'requiresFactor' in data) setFactors(data.factors);
      else if (data) await completion.completeSignIn(data);
    } catch (error) {
      if (hasCode(error, 'TOKEN_INVALID')) onInvalid();
      else toast.error(t('login.failed'), errorText(error));
      setIsPending(false);
    }
  };
  if (factors) {
    return (
      <AuthCard title={t('second.title')} text={t('second.text')}>
        <SecondFactorStep factors={factors} onSignedIn={completion.completeSignIn} onBack={onInvalid} />
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t('byMail.linkTitle')} text={t('byMail.linkText')}>
      <PublicButton
        className="z-button-main z-button-wide"
        autoFocus
        isPending={isPending}
        onClick={() => void signIn()}
      >
        {t('login.submit')}
      </PublicButton>
    </AuthCard>
  );
}
