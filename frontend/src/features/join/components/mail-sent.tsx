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
import { MailIcon } from '../../../shared/plain/icons';
import { PlainField } from '../../../shared/plain/plain-field';
import { EmailsNotSent, useSendsEmail } from '../../../shared/site/emails-not-sent';
import { toast } from '../../../shared/toast/toast-store';
import type { Asked } from '../asked-here';
import type { JoinTarget } from '../join-target';

/** How often a window that waits and is seen looks whether its browser has been signed in, in milliseconds. */
const lookEvery = 4000;
const DIGITS = 6;

interface Props {
  target: JoinTarget;
  asked: Asked;
  /** The code has been taken. */
  onDone: () => void;
  /** It has, and the owner decides. */
  onWaiting: (message: string) => void;
  onAgain: () => void;
}

/** A mail is on its way: its link may be opened anywhere, its code is typed here. */
export function MailSent({ target, asked: { email, handle }, onDone, onWaiting, onAgain }: Props) {
  const { t } = useTranslation('join');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const takenRef = useRef(false);
  const sendsEmail = useSendsEmail();
  useSignedInElsewhere(email, takenRef, onDone);
  const form = useForm({
    initial: { code: '' },
    sendsOnce: true,
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? undefined : t('code.digits') }),
    submit: async ({ code }) => {
      const { data } = await api.POST('/api/join-codes', { body: { handle, code } });
      takenRef.current = true;
      onDone();
      if (data!.requiresApproval) return onWaiting(data!.message);
      await queries.invalidateQueries();
      toast.success(t('joined'));
      await navigate(internalPath(data!.redirectUrl, '/auth'));
    },
    onFailure: (error) => {
      const message = error instanceof Error ? error.message : '';
      if (hasCode(error, 'CODE_INVALID')) form.fail({ code: message });
      else toast.error(t('failed'), message);
    },
  });
  // The form is sent with the last digit, be it typed, pasted or filled in by the phone.
  const change = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const code = target.value.replace(/\s/g, '').slice(0, DIGITS);
    flushSync(() => form.set('code', code));
    if (code.length === DIGITS) target.form?.requestSubmit();
  };
  return (
    <>
      <div role="status">
        <MailIcon />
        <h1 className="z-title">{t('mail.title')}</h1>
        {sendsEmail && <p>{t(target.autoJoin ? 'mail.text' : 'mail.textAsk', { email, zone: target.name })}</p>}
      </div>
      <EmailsNotSent />
      {handle && (
        <form {...form.formProps} className="z-join-code">
          <PlainField
            {...form.field('code')}
            label={t('code.label')}
            help={t('code.help')}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={change}
          />
          <button type="submit" className="z-button z-button-main" disabled={form.sending}>
            {t(target.autoJoin ? 'submit' : 'ask')}
          </button>
        </form>
      )}
      {sendsEmail && <p className="z-second">{t('mail.lasts')}</p>}
      <div className="z-actions">
        <button type="button" className="z-button" onClick={onAgain}>
          {t('mail.again')}
        </button>
      </div>
    </>
  );
}

/** Opened in another tab of this browser, the link signs in this one as well: the window goes on by itself. */
function useSignedInElsewhere(email: string, takenRef: RefObject<boolean>, onDone: () => void): void {
  const navigate = useNavigate();
  const { data: user } = useQuery({
    ...currentUserQuery,
    refetchInterval: lookEvery,
    refetchOnWindowFocus: 'always',
  });
  const isHere = user?.email === email;
  useEffect(() => {
    if (!isHere || takenRef.current) return;
    takenRef.current = true;
    onDone();
    void navigate('/shared-zones');
  }, [isHere, takenRef, navigate, onDone]);
}
