import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../shared/api/client';
import { loadNewSession } from '../../shared/api/session';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useTitle } from '../../shared/hooks/use-title';
import { CheckIcon, EmailIcon } from '../../shared/public-ui/icons';
import { PublicFrame } from '../../shared/public-ui/public-frame';

type EmailAction = 'change' | 'undo' | 'replyTo';

const endpointsByAction = {
  change: { check: '/api/email-change/check', act: '/api/email-change' },
  undo: { check: '/api/email-change/undo/check', act: '/api/email-change/undo' },
  replyTo: { check: '/api/reply-to/check', act: '/api/reply-to' },
} as const;

/** /change-email: applies the new email address, only when the button is clicked. */
export function ChangeEmailPage() {
  return <EmailActionLink action="change" />;
}

/** /undo-email-change: restores the old email address when the button is clicked. */
export function UndoEmailChangePage() {
  return <EmailActionLink action="undo" />;
}

/** /reply-to: confirms the reply-to address of a zone when the button is clicked. */
export function ReplyToPage() {
  return <EmailActionLink action="replyTo" />;
}

function EmailActionLink({ action }: { action: EmailAction }) {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token');
  useTitle(t(`emailLink.${action}.title`));
  return (
    <PublicFrame centred>
      <div className="z-card">
        {token ? <ConfirmAction action={action} token={token} /> : <UnusableLink text={t('emailLink.unusable')} />}
      </div>
    </PublicFrame>
  );
}

function ConfirmAction({ action, token }: { action: EmailAction; token: string }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { check, act } = endpointsByAction[action];
  const link = useQuery({
    queryKey: [check, token],
    queryFn: async () => (await api.POST(check, { body: { token } })).data!,
    staleTime: Infinity,
    gcTime: 0,
  });
  const confirmation = useMutation({
    mutationFn: async () => (await api.POST(act, { body: { token } })).data!,
    // The user has a different address now, or has been signed out.
    onSuccess: () => (action === 'replyTo' ? undefined : loadNewSession(queryClient)),
  });
  if (confirmation.data) return <ActionDone action={action} text={confirmation.data.message} />;
  const error = confirmation.error ?? link.error;
  if (error) return <UnusableLink text={errorText(error)} />;
  if (!link.data) return <p role="status">{t('verify.loading')}</p>;
  const { email } = link.data;
  const zone = 'zoneName' in link.data ? link.data.zoneName : null;
  if (email === null) return <UnusableLink text={t('emailLink.unusable')} />;
  return (
    <>
      <EmailIcon />
      <h1 className="z-title">{t(`emailLink.${action}.title`)}</h1>
      <p className="z-second" style={{ overflowWrap: 'anywhere' }}>
        {t(`emailLink.${action}.text`, { email, zone })}
      </p>
      <div className="z-actions">
        <button
          type="button"
          className="z-button z-button-main z-button-large"
          disabled={confirmation.isPending}
          onClick={() => confirmation.mutate()}
        >
          {t(`emailLink.${action}.action`)}
        </button>
      </div>
    </>
  );
}

function ActionDone({ action, text }: { action: EmailAction; text: string }) {
  const { t } = useTranslation('auth');
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('verify.success')}</h1>
      <p>{text}</p>
      <div className="z-actions">
        <Link className="z-button" to={action === 'undo' ? '/forgot-password' : '/'}>
          {action === 'undo' ? t('emailLink.setPassword') : t('verify.continue')}
        </Link>
      </div>
    </div>
  );
}

function UnusableLink({ text }: { text: string }) {
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
