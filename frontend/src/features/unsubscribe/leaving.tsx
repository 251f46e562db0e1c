import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { touch } from '../../shared/api/touch';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useKeepInfo, type UnsubscribeInfo } from './use-keep-info';

interface Props {
  token: string;
  info: UnsubscribeInfo;
}

/** Leaving a zone: a first click says what it means, a second one does it. */
export function Leaving({ token, info }: Props) {
  const { t } = useTranslation('unsubscribe');
  const [asked, setAsked] = useState(false);
  const { leave, setMails, busy, error } = useChanges(token);
  const { zoneName, isPublic, getsMails, mayStayWithoutMails } = info;
  return (
    <>
      <h1 className="z-title">{asked ? t('confirm.title') : t('leave.title', { zone: zoneName })}</h1>
      <p className="z-second">
        {asked ? t(isPublic ? 'confirm.textPublic' : 'confirm.textPrivate', { zone: zoneName }) : t('leave.text')}
      </p>
      {!asked && !getsMails && <p className="z-notice">{t('leave.noMails')}</p>}
      {!asked && !getsMails && <p className="z-second">{info.consentText}</p>}
      {error !== '' && (
        <p className="z-notice z-notice-danger" role="alert">
          {error}
        </p>
      )}
      <div className="z-actions">
        {asked ? (
          <>
            <button type="button" className="z-button z-button-main z-button-large" disabled={busy} onClick={leave}>
              {t('confirm.action')}
            </button>
            <button type="button" className="z-button z-button-large" disabled={busy} onClick={() => setAsked(false)}>
              {t('confirm.stay')}
            </button>
          </>
        ) : (
          <button type="button" className="z-button z-button-main z-button-large" onClick={() => setAsked(true)}>
            {t('leave.action')}
          </button>
        )}
        {!asked && getsMails && mayStayWithoutMails && (
          <button type="button" className="z-button z-button-large" disabled={busy} onClick={() => setMails(false)}>
            {t('leave.onlyMails')}
          </button>
        )}
        {!asked && !getsMails && (
          <button type="button" className="z-button z-button-large" disabled={busy} onClick={() => setMails(true)}>
            {t('leave.agree')}
          </button>
        )}
      </div>
    </>
  );
}

function useChanges(token: string) {
  const { t } = useTranslation('unsubscribe');
  const errorText = useErrorText();
  const keep = useKeepInfo(token);
  const queries = useQueryClient();
  const params = { path: { token } };
  const leave = useMutation({
    mutationFn: async () => (await api.POST('/api/unsubscribe/{token}', { params })).data!,
    onSuccess: keep,
  });
  const mails = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (wanted) await api.POST('/api/unsubscribe/{token}/consent', { params });
      else await api.DELETE('/api/unsubscribe/{token}/consent', { params });
    },
    onSuccess: () => touch(queries, 'POST /api/unsubscribe/{token}/consent'),
  });
  const error = leave.error ?? mails.error;
  return {
    leave: () => leave.mutate(),
    setMails: (wanted: boolean) => mails.mutate(wanted),
    busy: leave.isPending || mails.isPending,
    error: error ? errorText(error) || t('leave.failed') : '',
  };
}
