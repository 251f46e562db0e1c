import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { internalPath } from '../../../shared/format/internal-path';
import { useDelayedRedirect } from '../../../shared/hooks/use-delayed-redirect';
import { CheckIcon } from '../../../shared/public-ui/icons';
import { toast } from '../../../shared/toast/toast-store';
import type { JoinTarget, JoinRequest, LinkKind, SubmitJoin } from '../join-target';
import { JoinForm } from './join-form';
import { pendingJoinStorage, type PendingJoin } from '../pending-join-storage';
import { EmailVerification } from './email-verification';
import { ZonePreview } from './zone-preview';

/** Milliseconds until the page redirects. */
const REDIRECT_DELAY = 2000;
/** Via the sign-in page, which redirects signed-in users immediately. */
const SHARED_ZONES_VIA_SIGN_IN = '/auth?next=/shared-zones';

interface Props {
  kind: LinkKind;
  target: JoinTarget;
  /** Returns nothing in a preview, where the form stays. */
  onSubmit: SubmitJoin | (() => void);
  /** Address of the signed-in user. */
  ownEmail: string | null;
}

type Outcome =
  | { kind: 'emailSent'; pendingJoin: PendingJoin }
  | { kind: 'approvalRequired'; message: string }
  | { kind: 'alreadyMember' };

/** Card with the zone and the join form, then the result. */
export function JoinCard({ kind, target, onSubmit, ownEmail }: Props) {
  const { t } = useTranslation('join');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { pathname: pagePath } = useLocation();
  const [outcome, setOutcome] = useState<Outcome | null>(() => {
    const storedJoin = ownEmail === null ? pendingJoinStorage.get(pagePath) : null;
    return storedJoin && { kind: 'emailSent', pendingJoin: storedJoin };
  });

  const handleJoinResponse = async (response: Schema<'JoinAnswerDto'>, email: string) => {
    if (response.requiresVerification) {
      const pendingJoin = { email, handle: response.handle ?? '' };
      pendingJoinStorage.save(pagePath, pendingJoin);
      return setOutcome({ kind: 'emailSent', pendingJoin });
    }
    if (response.requiresApproval) return setOutcome({ kind: 'approvalRequired', message: response.message });
    await queryClient.invalidateQueries();
    toast.success(t('joined'));
    await navigate(response.requiresLogin ? '/auth' : internalPath(response.redirectUrl, '/auth'));
  };
  const join = async (request: JoinRequest) => {
    const response = await onSubmit(request);
    if (response) await handleJoinResponse(response, request.email);
  };

  return (
    <div className="z-card">
      {outcome === null && (
        <>
          <ZonePreview target={target} />
          <JoinForm
            kind={kind}
            target={target}
            ownEmail={ownEmail}
            onJoin={join}
            onAlreadyMember={() => setOutcome({ kind: 'alreadyMember' })}
          />
        </>
      )}
      {outcome?.kind === 'emailSent' && (
        <EmailVerification
          target={target}
          pendingJoin={outcome.pendingJoin}
          onVerified={() => pendingJoinStorage.clear(pagePath)}
          onApprovalRequired={(message) => setOutcome({ kind: 'approvalRequired', message })}
          onRestart={() => {
            pendingJoinStorage.clear(pagePath);
            setOutcome(null);
          }}
        />
      )}
      {outcome?.kind === 'approvalRequired' && <JoinRequested message={outcome.message} />}
      {outcome?.kind === 'alreadyMember' && <AlreadyMember />}
    </div>
  );
}

function JoinRequested({ message }: { message: string }) {
  const { t } = useTranslation('join');
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('asked.title')}</h1>
      <p className="z-second">{message}</p>
    </div>
  );
}

function AlreadyMember() {
  const { t } = useTranslation('join');
  useDelayedRedirect(SHARED_ZONES_VIA_SIGN_IN, REDIRECT_DELAY);
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('already.title')}</h1>
      <p className="z-second">{t('already.text')}</p>
      <div className="z-actions">
        <Link to={SHARED_ZONES_VIA_SIGN_IN} className="z-button">
          {t('already.go')}
        </Link>
      </div>
    </div>
  );
}
