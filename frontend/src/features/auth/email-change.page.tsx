import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../shared/api/client';
import { enterSession } from '../../shared/api/sign-in';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useTitle } from '../../shared/hooks/use-title';
import { CheckIcon, MailIcon } from '../../shared/plain/icons';
import { PublicFrame } from '../../shared/plain/public-frame';

type Way = 'change' | 'undo' | 'replyTo';

const routes = {
  change: { check: '/api/email-change/check', act: '/api/email-change' },
  undo: { check: '/api/email-change/undo/check', act: '/api/email-change/undo' },
  replyTo: { check: '/api/reply-to/check', act: '/api/reply-to' },
} as const;

/** /change-email: makes the new address that of the account when the button is pressed, never before. */
export function ChangeEmailPage() {
  return <EmailLink way="change" />;
}

/** /undo-email-change: puts the old address back when the button is pressed. */
export function UndoEmailChangePage() {
  return <EmailLink way="undo" />;
}

/** /reply-to: lets answers to the mails of a zone come to the address when the button is pressed. */
export function ReplyToPage() {
  return <EmailLink way="replyTo" />;
}

function EmailLink({ way }: { way: Way }) {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token');
  useTitle(t(`emailLink.${way}.title`));
  return (
    <PublicFrame centred>
      <div className="z-card">
        {token ? <Ask way={way} token={token} /> : <Useless text={t('emailLink.unusable')} />}
      </div>
    </PublicFrame>
  );
}

function Ask({ way, token }: { way: Way; token: string }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const { check, act } = routes[way];
  const link = useQuery({
    queryKey: [check, token],
    queryFn: async () => (await api.POST(check, { body: { token } })).data!,
    staleTime: Infinity,
    gcTime: 0,
  });
  const press = useMutation({
    mutationFn: async () => (await api.POST(act, { body: { token } })).data!,
    // The person has another address now, or is signed in no more.
    onSuccess: () => (way === 'replyTo' ? undefined : enterSession(queries)),
  });
  if (press.data) return <Done way={way} text={press.data.message} />;
  const error = press.error ?? link.error;
  if (error) return <Useless text={errorText(error)} />;
  if (!link.data) return <p role="status">{t('verify.loading')}</p>;
  const { email } = link.data;
  const zone = 'zoneName' in link.data ? link.data.zoneName : null;
  if (email === null) return <Useless text={t('emailLink.unusable')} />;
  return (
    <>
      <MailIcon />
      <h1 className="z-title">{t(`emailLink.${way}.title`)}</h1>
      <p className="z-second" style={{ overflowWrap: 'anywhere' }}>
        {t(`emailLink.${way}.text`, { email, zone })}
      </p>
      <div className="z-actions">
        <button
          type="button"
          className="z-button z-button-main z-button-large"
          disabled={press.isPending}
          onClick={() => press.mutate()}
        >
          {t(`emailLink.${way}.action`)}
        </button>
      </div>
    </>
  );
}

function Done({ way, text }: { way: Way; text: string }) {
  const { t } = useTranslation('auth');
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('verify.success')}</h1>
      <p>{text}</p>
      <div className="z-actions">
        <Link className="z-button" to={way === 'undo' ? '/forgot-password' : '/'}>
          {way === 'undo' ? t('emailLink.setPassword') : t('verify.continue')}
        </Link>
      </div>
    </div>
  );
}

function Useless({ text }: { text: string }) {
  const { t } = useTranslation('auth');
  return (
    <div role="alert">
      <h1 className="z-title">{t('emailLink.failed')}</h1>
      <p>{text}</p>
      <div className="z-actions">
        <Link className="z-button" to="/auth">
          {t('verify.toLogin')}
        </Link>
      </div>
    </div>
  );
}
