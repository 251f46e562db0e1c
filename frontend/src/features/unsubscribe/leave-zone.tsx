import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { invalidate } from '../../shared/api/invalidate';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useCacheUnsubscribeInfo, type UnsubscribeInfo } from './use-cache-unsubscribe-info';

interface Props {
  token: string;
  info: UnsubscribeInfo;
}

/** Leaves a zone: the first click explains the consequences, the second one confirms. */
export function LeaveZone({ token, info }: Props) {
  const { t } = useTranslation('unsubscribe');
  const [isConfirming, setIsConfirming] = useState(false);
  const { leave, setEmailConsent, busy, error } = useMembershipActions(token);
  const { zoneName, isPublic, getsMails, mayStayWithoutMails } = info;
  return (
    <>
      <h1 className="z-title">{isConfirming ? t('confirm.title') : t('leave.title', { zone: zoneName })}</h1>
      <p className="z-second">
        {isConfirming
          ? t(isPublic ? 'confirm.textPublic' : 'confirm.textPrivate', { zone: zoneName })
          : t('leave.text')}
      </p>
      {!isConfirming && !getsMails && <p className="z-notice">{t('leave.noMails')}</p>}
      {!isConfirming && !getsMails && <p className="z-second">{info.consentText}</p>}
      {error !== '' && (
        <p className="z-notice z-notice-danger" role="alert">
          {error}
        </p>
      )}
      <div className="z-actions">
        {isConfirming ? (
          <>
            <button type="button" className="z-button z-button-main z-button-large" disabled={busy} onClick={leave}>
              {t('confirm.action')}
            </button>
            <button
              type="button"
              className="z-button z-button-large"
              disabled={busy}
              onClick={() => setIsConfirming(false)}
            >
              {t('confirm.stay')}
            </button>
          </>
        ) : (
          <button type="button" className="z-button z-button-main z-button-large" onClick={() => setIsConfirming(true)}>
            {t('leave.action')}
          </button>
        )}
        {!isConfirming && getsMails && mayStayWithoutMails && (
          <button
            type="button"
            className="z-button z-button-large"
            disabled={busy}
            onClick={() => setEmailConsent(false)}
          >
            {t('leave.onlyMails')}
          </button>
        )}
        {!isConfirming && !getsMails && (
          <button
            type="button"
            className="z-button z-button-large"
            disabled={busy}
            onClick={() => setEmailConsent(true)}
          >
            {t('leave.agree')}
          </button>
        )}
      </div>
    </>
  );
}

function useMembershipActions(token: string) {
  const { t } = useTranslation('unsubscribe');
  const errorText = useErrorText();
  const cacheInfo = useCacheUnsubscribeInfo(token);
  const queryClient = useQueryClient();
  const params = { path: { token } };
  const leave = useMutation({
    mutationFn: async () => (await api.POST('/api/unsubscribe/{token}', { params })).data!,
    onSuccess: cacheInfo,
  });
  const changeConsent = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (wanted) await api.POST('/api/unsubscribe/{token}/consent', { params });
      else await api.DELETE('/api/unsubscribe/{token}/consent', { params });
    },
    onSuccess: () => invalidate(queryClient, 'POST /api/unsubscribe/{token}/consent'),
  });
  const error = leave.error ?? changeConsent.error;
  return {
    leave: () => leave.mutate(),
    setEmailConsent: (enabled: boolean) => changeConsent.mutate(enabled),
    busy: leave.isPending || changeConsent.isPending,
    error: error ? errorText(error) || t('leave.failed') : '',
  };
}
