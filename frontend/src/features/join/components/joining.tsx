import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { internalPath } from '../../../shared/format/internal-path';
import { useDelayedRedirect } from '../../../shared/hooks/use-delayed-redirect';
import { CheckIcon } from '../../../shared/plain/icons';
import { toast } from '../../../shared/toast/toast-store';
import type { JoinTarget, JoinRequest, LinkKind, SendJoin } from '../join-target';
import { JoinForm } from './join-form';
import { askedHere, type Asked as AskedHere } from '../asked-here';
import { MailSent } from './mail-sent';
import { ZonePreview } from './zone-preview';

/** The page leads on by itself after this time. */
const leadOnAfter = 2000;
/** By way of sign-in, which the signed-in do not see. */
const toSharedZones = '/auth?next=/shared-zones';

interface Props {
  kind: LinkKind;
  target: JoinTarget;
  /** Gives nothing in a preview, and the form stays. */
  send: SendJoin | (() => void);
  /** Address of whoever is signed in. */
  ownEmail: string | null;
}

type Outcome = { kind: 'mailSent'; asked: AskedHere } | { kind: 'asked'; message: string } | { kind: 'alreadyMember' };

/** One card: first the zone and the form, then what came of it. */
export function Joining({ kind, target, send, ownEmail }: Props) {
  const { t } = useTranslation('join');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { pathname: page } = useLocation();
  const [outcome, setOutcome] = useState<Outcome | null>(() => {
    const asked = ownEmail === null ? askedHere.get(page) : null;
    return asked && { kind: 'mailSent', asked };
  });

  const goOn = async (answer: Schema<'JoinAnswerDto'>, email: string) => {
    if (answer.requiresVerification) {
      const asked = { email, handle: answer.handle ?? '' };
      askedHere.keep(page, asked);
      return setOutcome({ kind: 'mailSent', asked });
    }
    if (answer.requiresApproval) return setOutcome({ kind: 'asked', message: answer.message });
    await queries.invalidateQueries();
    toast.success(t('joined'));
    await navigate(answer.requiresLogin ? '/auth' : internalPath(answer.redirectUrl, '/auth'));
  };
  const join = async (request: JoinRequest) => {
    const answer = await send(request);
    if (answer) await goOn(answer, request.email);
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
      {outcome?.kind === 'mailSent' && (
        <MailSent
          target={target}
          asked={outcome.asked}
          onDone={() => askedHere.forget(page)}
          onWaiting={(message) => setOutcome({ kind: 'asked', message })}
          onAgain={() => {
            askedHere.forget(page);
            setOutcome(null);
          }}
        />
      )}
      {outcome?.kind === 'asked' && <Asked message={outcome.message} />}
      {outcome?.kind === 'alreadyMember' && <AlreadyMember />}
    </div>
  );
}

function Asked({ message }: { message: string }) {
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
  useDelayedRedirect(toSharedZones, leadOnAfter);
  return (
    <div role="status">
      <CheckIcon />
      <h1 className="z-title">{t('already.title')}</h1>
      <p className="z-second">{t('already.text')}</p>
      <div className="z-actions">
        <Link to={toSharedZones} className="z-button">
          {t('already.go')}
        </Link>
      </div>
    </div>
  );
}
