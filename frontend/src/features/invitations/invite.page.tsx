import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { inviteTokenStorage } from '../../shared/account/invite-token-storage';
import { ApiError, hasCode } from '../../shared/api/api-error';
import { $api, api, type Schema } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { loadNewSession } from '../../shared/api/session';
import { internalPath } from '../../shared/format/internal-path';
import { useDelayedRedirect } from '../../shared/hooks/use-delayed-redirect';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { useTitle } from '../../shared/hooks/use-title';
import { CheckIcon, EmailIcon } from '../../shared/public-ui/icons';
import { LegalLinks } from '../../shared/public-ui/legal-links';
import { PublicCheckbox } from '../../shared/public-ui/public-checkbox';
import { PublicFrame } from '../../shared/public-ui/public-frame';

const SUCCESS_REDIRECT_DELAY = 3000;
const MEMBER_REDIRECT_DELAY = 2000;

type InvitationInfo = Schema<'InvitationInfoDto'>;
type AcceptResult = Schema<'AcceptedDto'>;

/** /invite/{token}: describes the invitation, and accepts it only when the button is clicked. */
export function InvitePage() {
  const { t } = useTranslation('acceptInvitation');
  const token = useParams().token ?? '';
  useTitle(t('tab'));
  // From here on the token is in the URL.
  useEffect(() => inviteTokenStorage.clear(), []);
  return (
    <PublicFrame centred>
      <div className="z-card">
        <InvitationContent token={token} />
      </div>
    </PublicFrame>
  );
}

function InvitationContent({ token }: { token: string }) {
  const { t } = useTranslation('acceptInvitation');
  const { data: user } = useCurrentUser();
  const { data: info, error } = $api.useQuery(
    'get',
    '/api/invite/{token}',
    { params: { path: { token } } },
    { gcTime: 0 },
  );
  const [accepted, setAccepted] = useState<AcceptResult | null>(null);
  const [isAlreadyMember, setIsAlreadyMember] = useState(false);
  if (accepted) return <Joined accepted={accepted} />;
  if (error) return <InvalidInvitation error={error} />;
  if (!info || user === undefined) return <p role="status">{t('loading')}</p>;
  if (user && user.email !== info.email) return <WrongAccount email={info.email} currentEmail={user.email} />;
  if (isAlreadyMember || (info.isAccepted && (info.isExistingUser || !user))) return <AlreadyMember />;
  return (
    <>
      <EmailIcon />
      <h1 className="z-title">{t('title', { zone: info.zoneName })}</h1>
      <p className="z-second">
        {info.inviterName ? t('invited', { name: info.inviterName }) : t('invitedBy')}{' '}
        {t('forAddress', { email: info.email })}
      </p>
      <AcceptForm token={token} info={info} onAccepted={setAccepted} onAlreadyMember={() => setIsAlreadyMember(true)} />
    </>
  );
}

interface FormProps {
  token: string;
  info: InvitationInfo;
  onAccepted: (accepted: AcceptResult) => void;
  onAlreadyMember: () => void;
}

function AcceptForm({ token, info, onAccepted, onAlreadyMember }: FormProps) {
  const { t } = useTranslation('acceptInvitation');
  const errorText = useErrorText();
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const accept = useAcceptInvitation(onAccepted);
  const form = useForm({
    initial: { emailConsent: info.requiresEmailOptin },
    validate: () => ({}),
    submit: async ({ emailConsent }) => {
      setErrorMessage(null);
      await accept.mutateAsync({ token, email: info.email, existingUser: info.isExistingUser, emailConsent });
    },
    onFailure: (error) => {
      if (hasCode(error, 'ALREADY_MEMBER')) onAlreadyMember();
      else setErrorMessage(errorText(error));
    },
  });
  return (
    <form className="z-form" {...form.formProps}>
      {info.requiresEmailOptin ? (
        <p className="z-second">
          {t('consent')} {info.consentText}
        </p>
      ) : (
        <PublicCheckbox
          id={form.field('emailConsent').id}
          checked={form.values.emailConsent}
          onChange={(checked) => form.set('emailConsent', checked)}
        >
          {info.consentText}
        </PublicCheckbox>
      )}
      {errorMessage && (
        <div className="z-notice z-notice-danger" role="alert">
          <strong>{t('joinFailed')}</strong>
          <br />
          {errorMessage}
        </div>
      )}
      <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.isSubmitting}>
        {t(form.isSubmitting ? 'accepting' : 'accept')}
      </button>
      <LegalLinks />
    </form>
  );
}

/** Accepts the invitation and opens the zone; users who must sign in first see a notice. */
function useAcceptInvitation(onAccepted: (accepted: AcceptResult) => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: Schema<'AcceptInviteDto'>) => (await api.POST('/api/accept-invite', { body })).data!,
    onSuccess: async (accepted) => {
      const to = internalPath(accepted.redirectUrl, '/auth');
      if (to.startsWith('/auth?mode=login')) return onAccepted(accepted);
      await loadNewSession(queryClient);
      await navigate(to, { replace: true });
    },
  });
}

function Joined({ accepted }: { accepted: AcceptResult }) {
  const { t } = useTranslation('acceptInvitation');
  const to = internalPath(accepted.redirectUrl, '/auth');
  useDelayedRedirect(to, SUCCESS_REDIRECT_DELAY);
  return (
    <Outcome title={t('joined')} icon={<CheckIcon />} to={to} label={t('continue')}>
      <p className="z-second">{t('redirect')}</p>
    </Outcome>
  );
}

function AlreadyMember() {
  const { t } = useTranslation('acceptInvitation');
  useDelayedRedirect('/auth', MEMBER_REDIRECT_DELAY);
  return (
    <Outcome title={t('already')} to="/auth" label={t('continue')}>
      <p>{t('alreadyText')}</p>
      <p className="z-second">{t('redirect')}</p>
    </Outcome>
  );
}

interface OutcomeProps {
  title: string;
  icon?: ReactNode;
  to: string;
  label: string;
  children: ReactNode;
}

function Outcome({ title, icon, to, label, children }: OutcomeProps) {
  return (
    <div role="status">
      {icon}
      <h1 className="z-title">{title}</h1>
      {children}
      <div className="z-actions">
        <Link className="z-button" to={to}>
          {label}
        </Link>
      </div>
    </div>
  );
}

function InvalidInvitation({ error }: { error: unknown }) {
  const { t } = useTranslation('acceptInvitation');
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <div role="alert">
      <h1 className="z-title">{t(isMissing ? 'invalid' : 'loadFailed')}</h1>
      <p>{isMissing ? error.message || t('invalidText') : t('invalidText')}</p>
      <div className="z-actions">
        <Link className="z-button" to="/auth">
          {t('toAuth')}
        </Link>
      </div>
    </div>
  );
}

function WrongAccount({ email, currentEmail }: { email: string; currentEmail: string }) {
  const { t } = useTranslation('acceptInvitation');
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onSettled: () => loadNewSession(queryClient),
  });
  return (
    <div role="alert">
      <h1 className="z-title">{t('tab')}</h1>
      <p>{t('other', { email, own: currentEmail })}</p>
      <p className="z-second">{t('otherText')}</p>
      <div className="z-actions">
        <button type="button" className="z-button z-button-main" onClick={() => signOut.mutate()}>
          {t('signOut')}
        </button>
      </div>
    </div>
  );
}
