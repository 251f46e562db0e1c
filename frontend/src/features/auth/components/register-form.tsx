import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { usePublicEmailToast } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { VerificationCodeStep } from './verification-code-step';
import type { Factor } from './second-factor-step';
import { DetailsStep, emptyDetails, type RegistrationDetails } from './details-step';

interface Props {
  email: string;
  onRegistered: () => Promise<void>;
  /** Called if the account already existed and a second factor is required. */
  onFactorRequired: (factors: readonly Factor[]) => void;
  onStepChange: (step: 'details' | 'code') => void;
}

/** Registration in two steps: the user's details, then the code from the email. Going back keeps the input. */
export function RegisterForm({ email, onRegistered, onFactorRequired, onStepChange }: Props) {
  const { t } = useTranslation('auth');
  const showEmailToast = usePublicEmailToast();
  const [details, setDetails] = useState<RegistrationDetails>({ ...emptyDetails, email });
  const [serverErrors, setServerErrors] = useState<Record<string, string[]>>({});
  const [isCodeStep, setIsCodeStep] = useState(false);

  const showCodeStep = (isCode: boolean) => {
    setIsCodeStep(isCode);
    onStepChange(isCode ? 'code' : 'details');
  };

  const sendCode = async (address: string) => {
    const { data } = await api.POST('/api/send-verification', { body: { email: address } });
    showEmailToast(t('register.sent'), t(data?.mailsDelayed ? 'register.delayedText' : 'register.sentText'));
  };

  const register = async (verificationCode: string) => {
    try {
      const { data } = await api.POST('/api/register', { body: { ...details, verificationCode } });
      if (data && 'requiresFactor' in data) return onFactorRequired(data.factors);
    } catch (error) {
      const detailErrors = detailErrorsOf(error);
      if (!detailErrors) throw error;
      setServerErrors(detailErrors);
      return showCodeStep(false);
    }
    toast.success(t('register.created'));
    await onRegistered();
  };

  if (isCodeStep) {
    return (
      <VerificationCodeStep
        email={details.email}
        onResend={() => sendCode(details.email)}
        onCode={register}
        onBack={() => showCodeStep(false)}
      />
    );
  }
  return (
    <DetailsStep
      initial={details}
      serverErrors={serverErrors}
      onSubmit={async (values) => {
        setDetails(values);
        setServerErrors({});
        await assertStrongPassword(values);
        await sendCode(values.email);
        showCodeStep(true);
      }}
    />
  );
}

/** Checks the password on the server before a code is emailed; throws the server's error for that field. */
async function assertStrongPassword({
  password,
  email,
  firstName,
  lastName,
  username,
}: RegistrationDetails): Promise<void> {
  const body = { password, email, firstName, lastName, username };
  const { data } = await api.POST('/api/check-password', { body });
  if (!data || data.ok) return;
  const sentence = data.message ?? '';
  throw new ApiError(400, 'VALIDATION_FAILED', sentence, undefined, { errors: { password: [sentence] } });
}

/**
 * Returns the first step's fields that the server rejected in the second step; null if the error is about something
 * else.
 */
function detailErrorsOf(error: unknown): Record<string, string[]> | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'USERNAME_TAKEN' || error.code === 'USERNAME_RESERVED') return { username: [error.message] };
  return Object.keys(error.errors).some((name) => name in emptyDetails) ? error.errors : null;
}
