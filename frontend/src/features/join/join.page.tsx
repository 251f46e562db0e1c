import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useLanguage } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { PlainError } from '../../shared/plain/plain-error';
import { PublicFrame } from '../../shared/plain/public-frame';
import { Joining } from './components/joining';
import { refusalOf } from './join-outcome';
import './join.css';

/** /join/{publicLink}: what the audience of a public zone sees first. */
export function JoinPage() {
  const { publicLink = '' } = useParams();
  const language = useLanguage();
  const {
    data: zone,
    error,
    refetch,
  } = $api.useQuery('get', '/api/public-zones/{publicLink}', {
    params: { path: { publicLink } },
    // The words of the consent come in the language of the page, so each language is a preview of its own.
    headers: { 'Accept-Language': language },
  });
  const { data: user, isPending } = useCurrentUser();
  useTitle(zone?.name);
  return (
    <PublicFrame centred>
      {error && (refusalOf(error) === 'notFound' ? <LinkNotFound /> : <PlainError error={error} onRetry={refetch} />)}
      {!error && (!zone || isPending) && <Skeleton />}
      {!error && zone && !isPending && <Joining publicLink={publicLink} zone={zone} ownEmail={user?.email ?? null} />}
    </PublicFrame>
  );
}

function LinkNotFound() {
  const { t } = useTranslation('join');
  useTitle(t('notFound.title'));
  return (
    <div className="z-card">
      <h1 className="z-title">{t('notFound.title')}</h1>
      <p className="z-second">{t('notFound.text')}</p>
      <div className="z-actions">
        <Link to="/home" className="z-button">
          {t('notFound.home')}
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
