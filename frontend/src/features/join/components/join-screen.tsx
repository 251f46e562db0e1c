import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { useTitle } from '../../../shared/hooks/use-title';
import { PlainError } from '../../../shared/plain/plain-error';
import { PublicFrame } from '../../../shared/plain/public-frame';
import { isDead, refusalOf } from '../join-outcome';
import type { JoinTarget, LinkKind, SendJoin } from '../join-target';
import { Joining } from './joining';
import '../join.css';

interface Props {
  kind: LinkKind;
  target: JoinTarget | undefined;
  error: unknown;
  onRetry: () => void;
}

/** A link is joined by; a preview is only looked at, as a stranger would: its form is sent nowhere. */
type Purpose = { send: SendJoin; preview?: never } | { send?: never; preview: { bar: ReactNode; onSend: () => void } };

/** The page of a link, of either kind: the zone and the way in, or why there is none. */
export function JoinScreen({ kind, target, error, onRetry, send, preview }: Props & Purpose) {
  const { data: user, isPending } = useCurrentUser();
  useTitle(target?.name);
  const refusal = error ? refusalOf(error) : null;
  const dead = refusal !== null && isDead(refusal) ? refusal : null;
  return (
    <PublicFrame centred>
      {preview?.bar}
      {dead && <DeadLink kind={kind} reason={dead} />}
      {error != null && !dead && <PlainError error={error} onRetry={onRetry} />}
      {!error && (!target || isPending) && <Skeleton />}
      {!error && target && !isPending && (
        <Joining
          kind={kind}
          target={target}
          send={send ?? preview.onSend}
          ownEmail={preview ? null : (user?.email ?? null)}
        />
      )}
    </PublicFrame>
  );
}

function DeadLink({ kind, reason }: { kind: LinkKind; reason: 'notFound' | 'expired' | 'maxUses' }) {
  const { t } = useTranslation('join');
  const which = reason === 'notFound' && kind === 'temporary' ? 'invalid' : reason;
  useTitle(t(`${which}.title`));
  return (
    <div className="z-card">
      <h1 className="z-title">{t(`${which}.title`)}</h1>
      <p className="z-second">{t(`${which}.text`)}</p>
      <div className="z-actions">
        <Link to="/home" className="z-button">
          {t('home')}
        </Link>
      </div>
    </div>
  );
}

function Skeleton() {
  const { t } = useTranslation('join');
  return (
    <div className="z-card" aria-busy="true">
      <span className="z-visually-hidden">{t('loading')}</span>
      <div className="z-join-skeleton" aria-hidden="true">
        <div className="z-skeleton" />
        <div className="z-skeleton" />
        <div className="z-skeleton" />
        <div className="z-skeleton" />
      </div>
    </div>
  );
}
