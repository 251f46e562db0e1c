import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ChangeEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { currentUserQuery } from '../../../shared/api/current-user';
import { internalPath } from '../../../shared/format/internal-path';
import { useForm } from '../../../shared/forms/use-form';
import { EmailIcon } from '../../../shared/public-ui/icons';
import { PublicField } from '../../../shared/public-ui/public-field';
import { EmailsNotSentNotice, useEmailSentTitle, useIsEmailEnabled } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import type { PendingJoin } from '../pending-join-storage';
import type { JoinTarget } from '../join-target';

/** Milliseconds between checks whether this browser was signed in from another tab, while this one is visible. */
const SESSION_POLL_INTERVAL = 4000;
const CODE_LENGTH = 6;

interface Props {
  target: JoinTarget;
  pendingJoin: PendingJoin;
  /** Called when the code was accepted. */
  onVerified: () => void;
  /** Called when the code was accepted and the owner must approve the request. */
  onApprovalRequired: (message: string) => void;
  onRestart: () => void;
}

/** Shown after an email was sent: its link can be opened anywhere, its code is typed here. */
export function EmailVerification({
  target,
  pendingJoin: { email, handle },
  onVerified,
  onApprovalRequired,
  onRestart,
}: Props) {
  const { t } = useTranslation('join');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isHandledRef = useRef(false);
  const sendsEmail = useIsEmailEnabled();
  const emailSentTitle = useEmailSentTitle();
  useSignInFromOtherTab(email, isHandledRef, onVerified);
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? undefined : t('code.digits') }),
    submit: async ({ code }) => {
      const { data } = await api.POST('/api/join-codes', { body: { handle, code } });
      isHandledRef.current = true;
      onVerified();
      if (data!.requiresApproval) return onApprovalRequired(data!.message);
      await queryClient.invalidateQueries();
      toast.success(t('joined'));
      await navigate(internalPath(data!.redirectUrl, '/auth'));
    },
    onFailure: (error) => {
      const message = error instanceof Error ? error.message : '';
      if (hasCode(error, 'CODE_INVALID')) form.showErrors({ code: message });
      else toast.error(t('failed'), message);
    },
  });
  // Submits the form with the last digit, whether typed, pasted or filled in by the phone.
  const handleCodeChange = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const code = target.value.replace(/\s/g, '').slice(0, CODE_LENGTH);
    flushSync(() => form.set('code', code));
    if (code.length === CODE_LENGTH) target.form?.requestSubmit();
  };
  return (
    <>
      <div role="status">
        <EmailIcon />
        <h1 className="z-title">{emailSentTitle(t('mail.title'))}</h1>
        {sendsEmail && <p>{t(target.autoJoin ? 'mail.text' : 'mail.textAsk', { email, zone: target.name })}</p>}
      </div>
      <EmailsNotSentNotice />
      {handle && (
        <form {...form.formProps} className="z-join-code">
          <PublicField
            {...form.field('code')}
            label={t('code.label')}
            help={t('code.help')}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={handleCodeChange}
          />
          <button type="submit" className="z-button z-button-main" disabled={form.isSubmitting}>
            {t(target.autoJoin ? 'submit' : 'ask')}
          </button>
        </form>
      )}
      {sendsEmail && <p className="z-second">{t('mail.lasts')}</p>}
      <div className="z-actions">
        <button type="button" className="z-button" onClick={onRestart}>
          {t('mail.again')}
        </button>
      </div>
    </>
  );
}

/**
 * Continues automatically when the email's link was opened in another tab of this browser, which signs in this tab as
 * well.
 */
function useSignInFromOtherTab(email: string, isHandledRef: RefObject<boolean>, onVerified: () => void): void {
  const navigate = useNavigate();
  const { data: user } = useQuery({
    ...currentUserQuery,
    refetchInterval: SESSION_POLL_INTERVAL,
    refetchOnWindowFocus: 'always',
  });
  const isSignedIn = user?.email === email;
  useEffect(() => {
    if (!isSignedIn || isHandledRef.current) return;
    isHandledRef.current = true;
    onVerified();
    void navigate('/shared-zones');
  }, [isSignedIn, isHandledRef, navigate, onVerified]);
}
