import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { usePublicEmailToast } from '../../../shared/site/emails-not-sent';
import { toast } from '../../../shared/toast/toast-store';
import { CodeStep } from './code-step';
import type { Factor } from './second-step';
import { DetailsStep, emptyDetails, type Details } from './details-step';

interface Props {
  email: string;
  onRegistered: () => Promise<void>;
  /** The account was there already, and more is asked for. */
  onFactors: (factors: readonly Factor[]) => void;
  onStep: (step: 'details' | 'code') => void;
}

/** Registration in two steps: who one is, then the code from the mail. Going back loses nothing. */
export function RegisterForm({ email, onRegistered, onFactors, onStep }: Props) {
  const { t } = useTranslation('auth');
  const emailToast = usePublicEmailToast();
  const [details, setDetails] = useState<Details>({ ...emptyDetails, email });
  const [rejected, setRejected] = useState<Record<string, string[]>>({});
  const [atCode, setAtCode] = useState(false);

  const show = (code: boolean) => {
    setAtCode(code);
    onStep(code ? 'code' : 'details');
  };

  const sendCode = async (address: string) => {
    const { data } = await api.POST('/api/send-verification', { body: { email: address } });
    emailToast(t('register.sent'), t(data?.mailsDelayed ? 'register.delayedText' : 'register.sentText'));
  };

  const register = async (verificationCode: string) => {
    try {
      const { data } = await api.POST('/api/register', { body: { ...details, verificationCode } });
      if (data && 'requiresFactor' in data) return onFactors(data.factors);
    } catch (error) {
      const atDetails = rejectedDetails(error);
      if (!atDetails) throw error;
      setRejected(atDetails);
      return show(false);
    }
    toast.success(t('register.created'));
    await onRegistered();
  };

  if (atCode) {
    return (
      <CodeStep
        email={details.email}
        onResend={() => sendCode(details.email)}
        onCode={register}
        onBack={() => show(false)}
      />
    );
  }
  return (
    <DetailsStep
      initial={details}
      rejected={rejected}
      onSubmit={async (values) => {
        setDetails(values);
        setRejected({});
        await refuseWeak(values);
        await sendCode(values.email);
        show(true);
      }}
    />
  );
}

/** Asks before a code is mailed whether the password will do; the error is one of the server's, at that field. */
async function refuseWeak({ password, email, firstName, lastName, username }: Details): Promise<void> {
  const body = { password, email, firstName, lastName, username };
  const { data } = await api.POST('/api/check-password', { body });
  if (!data || data.ok) return;
  const sentence = data.message ?? '';
  throw new ApiError(400, 'VALIDATION_FAILED', sentence, undefined, { errors: { password: [sentence] } });
}

/** The fields of the first step that the server refused in the second, or null when it was about something else. */
function rejectedDetails(error: unknown): Record<string, string[]> | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'USERNAME_TAKEN') return { username: [error.message] };
  return Object.keys(error.errors).some((name) => name in emptyDetails) ? error.errors : null;
}
