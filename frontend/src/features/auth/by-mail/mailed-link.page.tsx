import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { internalPath } from '../../../shared/format/internal-path';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { PublicFrame } from '../../../shared/plain/public-frame';
import { toast } from '../../../shared/toast/toast-store';
import { AuthCard } from '../components/auth-card';
import { SecondStep, type Factor } from '../components/second-step';
import { useEnter } from '../use-enter';
import { mailedTo } from './mailed-to';

/** /sign-in: the link of a mail to sign in. Only the button acts: programs that look at mails open links. */
export function MailedLinkPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const [refused, setRefused] = useState(false);
  const usable = useIsUsable(token);
  if (!token || refused || usable === false) {
    return (
      <PublicFrame centred>
        <AuthCard title={t('byMail.invalid')} text={t('byMail.unusable')}>
          <Button component={Link} to="/auth" variant="contained" color="primary">
            {t('byMail.askAgain')}
          </Button>
        </AuthCard>
      </PublicFrame>
    );
  }
  const destination = internalPath(query.get('next'), '/');
  return (
    <PublicFrame centred>
      {usable && <SignInByLink token={token} destination={destination} onRefused={() => setRefused(true)} />}
    </PublicFrame>
  );
}

/** Undefined until it is known. A link that could not be asked about is taken for good: the button tells. */
function useIsUsable(token: string): boolean | undefined {
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
  onRefused: () => void;
}

function SignInByLink({ token, destination, onRefused }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const enter = useEnter({ destination });
  const [sending, setSending] = useState(false);
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const use = async () => {
    setSending(true);
    try {
      const { data } = await api.POST('/api/sign-in-links', { body: { token } });
      mailedTo.forget();
      if (data && 'requiresFactor' in data) setFactors(data.factors);
      else if (data) await enter.signedIn(data);
    } catch (error) {
      if (hasCode(error, 'TOKEN_INVALID')) onRefused();
      else toast.error(t('login.failed'), errorText(error));
      setSending(false);
    }
  };
  if (factors) {
    return (
      <AuthCard title={t('second.title')} text={t('second.text')}>
        <SecondStep factors={factors} onSignedIn={enter.signedIn} onBack={onRefused} />
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t('byMail.linkTitle')} text={t('byMail.linkText')}>
      <Button variant="contained" color="primary" fullWidth autoFocus loading={sending} onClick={() => void use()}>
        {t('login.submit')}
      </Button>
    </AuthCard>
  );
}
