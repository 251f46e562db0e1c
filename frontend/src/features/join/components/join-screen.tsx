import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { useTitle } from '../../../shared/hooks/use-title';
import { PublicError } from '../../../shared/public-ui/public-error';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import { isLinkUnusable, joinErrorTypeOf } from '../join-error';
import type { JoinTarget, LinkKind, SubmitJoin } from '../join-target';
import { JoinCard } from './join-card';
import '../join.css';

interface Props {
  kind: LinkKind;
  target: JoinTarget | undefined;
  error: unknown;
  onRetry: () => void;
}

/** A link joins the zone; a preview shows it as a visitor would see it, without sending the form. */
type ModeProps =
  { onJoin: SubmitJoin; preview?: never } | { onJoin?: never; preview: { banner: ReactNode; onSubmit: () => void } };

/** The page of a link of either kind: the zone and the join form, or why it can't be used. */
export function JoinScreen({ kind, target, error, onRetry, onJoin, preview }: Props & ModeProps) {
  const { data: user, isPending } = useCurrentUser();
  useTitle(target?.name);
  const errorType = error ? joinErrorTypeOf(error) : null;
  const linkError = errorType !== null && isLinkUnusable(errorType) ? errorType : null;
  return (
    <PublicFrame centred>
      {preview?.banner}
      {linkError && <UnusableLink kind={kind} reason={linkError} />}
      {error != null && !linkError && <PublicError error={error} onRetry={onRetry} />}
      {!error && (!target || isPending) && <Skeleton />}
      {!error && target && !isPending && (
        <JoinCard
          kind={kind}
          target={target}
          onSubmit={onJoin ?? preview.onSubmit}
          ownEmail={preview ? null : (user?.email ?? null)}
        />
      )}
    </PublicFrame>
  );
}

function UnusableLink({ kind, reason }: { kind: LinkKind; reason: 'notFound' | 'expired' | 'maxUses' }) {
  const { t } = useTranslation('join');
  const errorKey = reason === 'notFound' && kind === 'temporary' ? 'invalid' : reason;
  useTitle(t(`${errorKey}.title`));
  return (
    <div className="z-card">
      <h1 className="z-title">{t(`${errorKey}.title`)}</h1>
      <p className="z-second">{t(`${errorKey}.text`)}</p>
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
