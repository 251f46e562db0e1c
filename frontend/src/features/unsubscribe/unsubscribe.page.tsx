import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import { $api, api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat, useLanguage } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicError } from '../../shared/public-ui/public-error';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { LeaveZone } from './leave-zone';
import { unsubscribeInfoPath, useCacheUnsubscribeInfo, type UnsubscribeInfo } from './use-cache-unsubscribe-info';

/** /unsubscribe/{token}: leaves a zone through the link in each of its emails; this can be undone for 30 days. */
export function UnsubscribePage() {
  const { t } = useTranslation('unsubscribe');
  const { token = '' } = useParams();
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery('get', unsubscribeInfoPath, {
    params: { path: { token } },
    headers: { 'Accept-Language': language },
  });
  useTitle(data?.zoneName ? t('title', { zone: data.zoneName }) : t('titlePlain'));
  if (error && hasCode(error, 'UNSUBSCRIBE_LINK_INVALID')) return <InvalidLink />;
  return (
    <PublicFrame centred>
      {error && !data && <PublicError error={error} onRetry={refetch} />}
      {!error && !data && (
        <div className="z-card" aria-busy="true">
          <p role="status">{t('loading')}</p>
        </div>
      )}
      {data && (
        <div className="z-card">
          <UnsubscribeStep token={token} info={data} />
        </div>
      )}
    </PublicFrame>
  );
}

function UnsubscribeStep({ token, info }: { token: string; info: UnsubscribeInfo }) {
  const { t } = useTranslation('unsubscribe');
  if (info.state === 'gone') {
    return (
      <>
        <h1 className="z-title">{t('gone.title')}</h1>
        <p className="z-second">{t('gone.text')}</p>
      </>
    );
  }
  return info.state === 'left' ? <LeftZone token={token} info={info} /> : <LeaveZone token={token} info={info} />;
}

function LeftZone({ token, info: { zoneName, isPublic, undoUntil } }: { token: string; info: UnsubscribeInfo }) {
  const { t } = useTranslation('unsubscribe');
  const format = useFormat();
  const errorText = useErrorText();
  const cacheInfo = useCacheUnsubscribeInfo(token);
  const undoLeave = useMutation({
    mutationFn: async () => (await api.POST('/api/unsubscribe/{token}/undo', { params: { path: { token } } })).data!,
    onSuccess: cacheInfo,
  });
  return (
    <>
      <div role="status">
        <h1 className="z-title">{t('left.title', { zone: zoneName })}</h1>
        <p className="z-second">{t('left.text')}</p>
      </div>
      {undoUntil === null ? (
        <p className="z-second">{isPublic ? t('left.rejoinPublic') : t('left.rejoinPrivate')}</p>
      ) : (
        <>
          <p className="z-second">{t('left.mistake', { date: format.date(undoUntil) })}</p>
          <div className="z-actions">
            <button
              type="button"
              className="z-button"
              disabled={undoLeave.isPending}
              onClick={() => undoLeave.mutate()}
            >
              {t('left.undo')}
            </button>
          </div>
        </>
      )}
      {undoLeave.error && (
        <p className="z-notice z-notice-danger" role="alert">
          {errorText(undoLeave.error)}
        </p>
      )}
    </>
  );
}

function InvalidLink() {
  const { t } = useTranslation('unsubscribe');
  return (
    <PublicFrame centred>
      <div className="z-card" role="alert">
        <h1 className="z-title">{t('invalid.title')}</h1>
        <p className="z-second">{t('invalid.text')}</p>
        <div className="z-actions">
          <Link to="/home" className="z-button">
            {t('invalid.home')}
          </Link>
        </div>
      </div>
    </PublicFrame>
  );
}
