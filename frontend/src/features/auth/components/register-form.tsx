import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { CurrentUser } from '../../../shared/api/current-user';
import { toast } from '../../../shared/toast/toast-store';
import { CodeStep } from './code-step';
import { DetailsStep, emptyDetails, type Details } from './details-step';

interface Props {
  email: string;
  onRegistered: (user: CurrentUser) => void;
  onStep: (step: 'details' | 'code') => void;
}

/** Registration in two steps: who one is, then the code from the mail. Going back loses nothing. */
export function RegisterForm({ email, onRegistered, onStep }: Props) {
  const { t } = useTranslation('auth');
  const [details, setDetails] = useState<Details>({ ...emptyDetails, email });
  const [rejected, setRejected] = useState<Record<string, string[]>>({});
  const [atCode, setAtCode] = useState(false);

  const show = (code: boolean) => {
    setAtCode(code);
    onStep(code ? 'code' : 'details');
  };

  const sendCode = async (address: string) => {
    await api.POST('/api/send-verification', { body: { email: address } });
    toast.success(t('register.sent'), t('register.sentText'));
  };

  const register = async (verificationCode: string) => {
    try {
      const { data } = await api.POST('/api/register', { body: { ...details, verificationCode } });
      if (!data) return;
      toast.success(t('register.created'));
      onRegistered(data);
    } catch (error) {
      if (!(error instanceof ApiError) || !Object.keys(error.errors).some((name) => name in details)) throw error;
      setRejected(error.errors);
      show(false);
    }
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
        await sendCode(values.email);
        show(true);
      }}
    />
  );
}
