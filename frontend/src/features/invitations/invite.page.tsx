import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { storedInvite } from '../../shared/account/stored-invite';
import { ApiError, hasCode } from '../../shared/api/api-error';
import { $api, api, type Schema } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { enterSession } from '../../shared/api/sign-in';
import { touch } from '../../shared/api/touch';
import { internalPath } from '../../shared/format/internal-path';
import { useDelayedRedirect } from '../../shared/hooks/use-delayed-redirect';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { useTitle } from '../../shared/hooks/use-title';
import { CheckIcon, MailIcon } from '../../shared/plain/icons';
import { LegalLine } from '../../shared/plain/legal-line';
import { PlainCheck } from '../../shared/plain/plain-check';
import { PlainField } from '../../shared/plain/plain-field';
import { PublicFrame } from '../../shared/plain/public-frame';

const afterSuccess = 3000;
const afterAlready = 2000;

type Info = Schema<'InvitationInfoDto'>;
type Accepted = Schema<'AcceptedDto'>;

/** /invite/{token}: says what the invitation is, and accepts it when the button is pressed, never before. */
export function InvitePage() {
  const { t } = useTranslation('invitations');
  const token = useParams().token ?? '';
  useTitle(t('accept.tab'));
  // From here on the address says which invitation it is.
  useEffect(() => storedInvite.forget(), []);
  return (
    <PublicFrame centred>
      <div className="z-card">
        <Invitation token={token} />
      </div>
    </PublicFrame>
  );
}

function Invitation({ token }: { token: string }) {
  const { t } = useTranslation('invitations');
  const { data: user } = useCurrentUser();
  const { data: info, error } = $api.useQuery(
    'get',
    '/api/invite/{token}',
    { params: { path: { token } } },
    { gcTime: 0 },
  );
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  const [already, setAlready] = useState(false);
  if (accepted) return <Joined accepted={accepted} />;
  if (error) return <Invalid error={error} />;
  if (!info || user === undefined) return <p role="status">{t('accept.loading')}</p>;
  if (user && user.email !== info.email) return <OtherAddress email={info.email} own={user.email} />;
  if (already || (info.isAccepted && info.isExistingUser)) return <AlreadyMember />;
  const needsPassword = !info.isExistingUser && !user;
  return (
    <>
      <MailIcon />
      <h1 className="z-title">{t('accept.title', { zone: info.zoneName })}</h1>
      <p className="z-second">
        {info.inviterName ? t('accept.invited', { name: info.inviterName }) : t('accept.invitedBy')}{' '}
        {t('accept.forAddress', { email: info.email })}
      </p>
      <AcceptForm
        token={token}
        info={info}
        needsPassword={needsPassword}
        onAccepted={setAccepted}
        onAlready={() => setAlready(true)}
      />
    </>
  );
}

interface FormProps {
  token: string;
  info: Info;
  needsPassword: boolean;
  onAccepted: (accepted: Accepted) => void;
  onAlready: () => void;
}

function AcceptForm({ token, info, needsPassword, onAccepted, onAlready }: FormProps) {
  const { t } = useTranslation('invitations');
  const errorText = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  const accept = useAccept(onAccepted);
  const form = useForm({
    initial: { email: info.email, password: '', emailConsent: info.requiresEmailOptin },
    validate: ({ email, password }) =>
      needsPassword && !(email.trim() && password.trim()) ? { password: t('accept.bothRequired') } : {},
    submit: async ({ email, password, emailConsent }) => {
      setFailure(null);
      await accept.mutateAsync({
        ...{ token, email: email.trim(), existingUser: info.isExistingUser, emailConsent },
        ...(needsPassword ? { password: password.trim() } : {}),
      });
    },
    onFailure: (error) => {
      if (hasCode(error, 'ALREADY_MEMBER')) onAlready();
      else if (hasCode(error, 'INVALID_CREDENTIALS')) form.fail({ password: t('accept.wrongPassword') });
      else setFailure(errorText(error));
    },
  });
  return (
    <form className="z-form" {...form.formProps}>
      {needsPassword && (
        <>
          <PlainField
            {...form.field('email')}
            label={t('accept.email')}
            type="email"
            inputMode="email"
            autoComplete="email"
          />
          <PlainField
            {...form.field('password')}
            label={t('accept.password')}
            help={t('accept.passwordHelp')}
            autoComplete="off"
          />
        </>
      )}
      {info.requiresEmailOptin ? (
        <p className="z-second">
          {t('accept.consent')} {info.consentText}
        </p>
      ) : (
        <PlainCheck
          id={form.field('emailConsent').id}
          checked={form.values.emailConsent}
          onChange={(checked) => form.set('emailConsent', checked)}
        >
          {info.consentText}
        </PlainCheck>
      )}
      {failure && (
        <div className="z-notice z-notice-danger" role="alert">
          <strong>{t('accept.joinFailed')}</strong>
          <br />
          {failure}
        </div>
      )}
      <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.sending}>
        {t(form.sending ? 'accept.accepting' : 'accept.accept')}
      </button>
      <LegalLine />
    </form>
  );
}

/** Accepts; who has to finish the account is led there at once, others are told. */
function useAccept(onAccepted: (accepted: Accepted) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: Schema<'AcceptInviteDto'>) => (await api.POST('/api/accept-invite', { body })).data!,
    onSuccess: async (accepted) => {
      if (!accepted.requiresPasswordChange && !accepted.requiresProfileCompletion) {
        // Of somebody signed in: they are in one zone more, by which the first page is chosen.
        void touch(queries, 'POST /api/accept-invite');
        return onAccepted(accepted);
      }
      await enterSession(queries);
      await navigate(internalPath(accepted.redirectUrl, '/complete-profile'), { replace: true });
    },
  });
}

function Joined({ accepted }: { accepted: Accepted }) {
  const { t } = useTranslation('invitations');
  const to = internalPath(accepted.redirectUrl, '/auth');
  useDelayedRedirect(to, afterSuccess);
  return (
    <Outcome title={t('accept.joined')} icon={<CheckIcon />} to={to} label={t('accept.continue')}>
      <p className="z-second">{t('accept.redirect')}</p>
    </Outcome>
  );
}

function AlreadyMember() {
  const { t } = useTranslation('invitations');
  useDelayedRedirect('/auth', afterAlready);
  return (
    <Outcome title={t('accept.already')} to="/auth" label={t('accept.continue')}>
      <p>{t('accept.alreadyText')}</p>
      <p className="z-second">{t('accept.redirect')}</p>
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

function Invalid({ error }: { error: unknown }) {
  const { t } = useTranslation('invitations');
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <div role="alert">
      <h1 className="z-title">{t(isMissing ? 'accept.invalid' : 'accept.loadFailed')}</h1>
      <p>{isMissing ? error.message || t('accept.invalidText') : t('accept.invalidText')}</p>
      <div className="z-actions">
        <Link className="z-button" to="/auth">
          {t('accept.toAuth')}
        </Link>
      </div>
    </div>
  );
}

function OtherAddress({ email, own }: { email: string; own: string }) {
  const { t } = useTranslation('invitations');
  const queries = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onSettled: () => enterSession(queries),
  });
  return (
    <div role="alert">
      <h1 className="z-title">{t('accept.tab')}</h1>
      <p>{t('accept.other', { email, own })}</p>
      <p className="z-second">{t('accept.otherText')}</p>
      <div className="z-actions">
        <button type="button" className="z-button z-button-main" onClick={() => signOut.mutate()}>
          {t('accept.signOut')}
        </button>
      </div>
    </div>
  );
}
