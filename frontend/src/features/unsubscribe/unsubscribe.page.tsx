import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import { $api, api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat, useLanguage } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { PlainError } from '../../shared/plain/plain-error';
import { PublicFrame } from '../../shared/plain/public-frame';
import { Leaving } from './leaving';
import { infoPath, useKeepInfo, type UnsubscribeInfo } from './use-keep-info';

/** /unsubscribe/{token}: the way out of a zone that every mail has, and the way back for 30 days. */
export function UnsubscribePage() {
  const { t } = useTranslation('unsubscribe');
  const { token = '' } = useParams();
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery('get', infoPath, {
    params: { path: { token } },
    headers: { 'Accept-Language': language },
  });
  useTitle(data?.zoneName ? t('title', { zone: data.zoneName }) : t('titlePlain'));
  if (error && hasCode(error, 'UNSUBSCRIBE_LINK_INVALID')) return <Invalid />;
  return (
    <PublicFrame centred>
      {error && !data && <PlainError error={error} onRetry={refetch} />}
      {!error && !data && (
        <div className="z-card" aria-busy="true">
          <p role="status">{t('loading')}</p>
        </div>
      )}
      {data && (
        <div className="z-card">
          <Step token={token} info={data} />
        </div>
      )}
    </PublicFrame>
  );
}

function Step({ token, info }: { token: string; info: UnsubscribeInfo }) {
  const { t } = useTranslation('unsubscribe');
  if (info.state === 'gone') {
    return (
      <>
        <h1 className="z-title">{t('gone.title')}</h1>
        <p className="z-second">{t('gone.text')}</p>
      </>
    );
  }
  return info.state === 'left' ? <Left token={token} info={info} /> : <Leaving token={token} info={info} />;
}

function Left({ token, info: { zoneName, isPublic, undoUntil } }: { token: string; info: UnsubscribeInfo }) {
  const { t } = useTranslation('unsubscribe');
  const format = useFormat();
  const errorText = useErrorText();
  const keep = useKeepInfo(token);
  const undo = useMutation({
    mutationFn: async () => (await api.POST('/api/unsubscribe/{token}/undo', { params: { path: { token } } })).data!,
    onSuccess: keep,
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
            <button type="button" className="z-button" disabled={undo.isPending} onClick={() => undo.mutate()}>
              {t('left.undo')}
            </button>
          </div>
        </>
      )}
      {undo.error && (
        <p className="z-notice z-notice-danger" role="alert">
          {errorText(undo.error)}
        </p>
      )}
    </>
  );
}

function Invalid() {
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
