import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { ApiError, hasCode, NETWORK_ERROR } from '../../shared/api/api-error';
import { $api, api, type Schema } from '../../shared/api/client';
import { currentUserKey, useCurrentUser } from '../../shared/api/current-user';
import { internalPath } from '../../shared/format/internal-path';
import { useDelayedRedirect } from '../../shared/hooks/use-delayed-redirect';
import { useTitle } from '../../shared/hooks/use-title';
import { CheckIcon, EmailIcon } from '../../shared/public-ui/icons';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { inviteTokenStorage } from '../../shared/account/invite-token-storage';

const REDIRECT_DELAY = 2000;
/** Errors about the zone and its link, not about the email. */
const zoneErrorCodes = [
  ...['LINK_NOT_FOUND', 'LINK_EXPIRED', 'LINK_MAX_USES', 'LINK_ALREADY_USED'],
  ...['ZONE_FULL', 'CONSENT_REQUIRED'],
];

type Verification = Schema<'VerificationDto'>;

/** /verify-email: explains what the emailed link does, and does it only when the button is clicked. */
export function VerifyEmailPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  useTitle(t('verify.title'));
  const token = query.get('token');
  return (
    <PublicFrame centred>
      <div className="z-card">
        {token ? <Verify token={token} join={query.get('join')} /> : <Failure message={t('verify.noToken')} />}
      </div>
    </PublicFrame>
  );
}

function Verify({ token, join }: { token: string; join: string | null }) {
  const { t } = useTranslation('auth');
  const queryClient = useQueryClient();
  const request = join ? { token, join } : { token };
  const preview = $api.useQuery('get', '/api/verify-email', { params: { query: request } }, { gcTime: 0 });
  const verify = useMutation({
    mutationFn: async () => (await api.POST('/api/verify-email', { body: request })).data,
    onSuccess: async (result) => {
      if (result?.inviteToken) inviteTokenStorage.save(result.inviteToken);
      await queryClient.invalidateQueries({ queryKey: currentUserKey });
    },
  });
  const error = verify.error ?? preview.error;
  if (verify.data?.success) return <Success result={verify.data} />;
  if (hasCode(error, NETWORK_ERROR)) return <Failure message={t('verify.network')} />;
  if (error) return <Failure message={errorMessageOf(error)} showHints={!hasCode(error, ...zoneErrorCodes)} />;
  const rejection = [verify.data, preview.data].find((response) => response?.success === false);
  if (rejection) return <Failure message={rejection.message} showHints />;
  if (!preview.data) return <p role="status">{t('verify.loading')}</p>;
  return <ConfirmVerification preview={preview.data} isPending={verify.isPending} onConfirm={() => verify.mutate()} />;
}

/** Returns the message of the invalid parameter if there is one, otherwise the general message. */
function errorMessageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  return Object.values(error.errors).flat()[0] ?? error.message;
}

function ConfirmVerification({
  preview,
  isPending,
  onConfirm,
}: {
  preview: Verification;
  isPending: boolean;
  onConfirm: () => void;
}) {
  const { t } = useTranslation('auth');
  const { zoneName: zone, email } = preview;
  const [text, action] = preview.requiresApproval
    ? (['verify.textAsk', 'verify.actionAsk'] as const)
    : (['verify.textJoin', 'verify.actionJoin'] as const);
  const ownText = email ? t('verify.textEmail', { email }) : t('verify.text');
  return (
    <>
      <EmailIcon />
      <h1 className="z-title">{zone ? t('verify.titleJoin', { zone }) : t('verify.title')}</h1>
      <p className="z-second">{zone && email ? t(text, { email }) : ownText}</p>
      <div className="z-actions">
        <button
          type="button"
          className="z-button z-button-main z-button-large"
          disabled={isPending}
          onClick={onConfirm}
        >
          {zone ? t(action) : t('verify.action')}
        </button>
      </div>
    </>
  );
}

function Success({ result }: { result: Verification }) {
  const { t } = useTranslation('auth');
  const destination = internalPath(result.redirectUrl, '/auth');
  useDelayedRedirect(destination, REDIRECT_DELAY);
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('verify.success')}</h1>
      <p>{result.message}</p>
      <p className="z-second">{t('verify.redirect')}</p>
      <div className="z-actions">
        <Link className="z-button" to={destination}>
          {t('verify.continue')}
        </Link>
      </div>
    </div>
  );
}

function Failure({ message, showHints = false }: { message: string; showHints?: boolean }) {
  const { t } = useTranslation('auth');
  const { t: tCommon } = useTranslation();
  const { data: user } = useCurrentUser();
  return (
    <div role="alert">
      <h1 className="z-title">{t('verify.failed')}</h1>
      <p>{message}</p>
      {showHints && (
        <>
          <p className="z-second">{t('verify.hints')}</p>
          <ul className="z-second">
            <li>{t('verify.hintExpired')}</li>
            <li>{t('verify.hintUsed')}</li>
            <li>{t('verify.hintInvalid')}</li>
          </ul>
        </>
      )}
      <div className="z-actions">
        <Link className="z-button" to={user ? '/' : '/auth'}>
          {user ? tCommon('nav.dashboard') : t('verify.toLogin')}
        </Link>
      </div>
    </div>
  );
}
