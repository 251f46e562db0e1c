import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import { $api, type Schema } from '../../shared/api/client';
import { parseId } from '../../shared/api/use-zone';
import { readerUrl } from '../../shared/files/reader-navigation';
import { sharedFileUrl } from '../../shared/files/shared-lists';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicError } from '../../shared/public-ui/public-error';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { EnterCard } from './enter-card';
import { SharedFolder } from './shared-folder';
import './shared-item.css';

/**
 * /s/{token} and /s/{token}/folders/{folderId}: the page of a link to a file or folder, for people without an account.
 * Its title names nothing until they have entered.
 */
export function SharedItemPage() {
  const { token = '', folderId } = useParams();
  const { data, error, refetch } = $api.useQuery('get', '/api/shared/{token}', { params: { path: { token } } });
  const unavailable = hasCode(error, 'SHARED_USED_UP') ? 'usedUp' : hasCode(error, 'SHARED_NOT_FOUND') && 'notFound';
  if (!error && data?.memberPlace) return <Navigate to={urlOfPlace(data.memberPlace)} replace />;
  if (!error && data?.item?.file) return <Navigate to={sharedFileUrl(token, data.item.file.id)} replace />;
  if (!error && data?.item?.folder) {
    const currentId = folderId === undefined ? data.item.folder.id : parseId(folderId);
    return (
      <PublicFrame>
        <SharedFolder
          key={currentId}
          token={token}
          link={data}
          root={data.item.folder}
          folderId={currentId}
          allowDownload={data.item.allowDownload}
          fileRequest={data.item.fileRequest}
        />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame centred>
      {unavailable && <UnavailableLink reason={unavailable} />}
      {error != null && !unavailable && <PublicError error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton />}
      {!error && data && <EnterCard token={token} link={data} onUnavailable={refetch} />}
    </PublicFrame>
  );
}

/** Where a member of the item's zone reads it. */
function urlOfPlace({ zoneId, fileId, folderId }: Schema<'SharedPlaceDto'>): string {
  return fileId === null ? `/zones/${zoneId}/folders/${folderId}` : readerUrl(zoneId, fileId);
}

function UnavailableLink({ reason }: { reason: 'notFound' | 'usedUp' }) {
  const { t } = useTranslation('sharedItem');
  useTitle(t(`${reason}.title`));
  return (
    <div className="z-card">
      <h1 className="z-title">{t(`${reason}.title`)}</h1>
      <p className="z-second">{t(`${reason}.text`)}</p>
      <div className="z-actions">
        <Link to="/home" className="z-button">
          {t('home')}
        </Link>
      </div>
    </div>
  );
}

function Skeleton() {
  const { t } = useTranslation('sharedItem');
  return (
    <div className="z-card z-shared-skeleton" aria-busy="true">
      <span className="z-visually-hidden">{t('loading')}</span>
      <div className="z-skeleton" aria-hidden="true" />
      <div className="z-skeleton" aria-hidden="true" />
      <div className="z-skeleton" aria-hidden="true" />
    </div>
  );
}
