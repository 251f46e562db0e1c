import Dialog from '@mui/material/Dialog';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../toast/toast-store';
import { AuthenticatorSetup } from './authenticator-setup';
import { RecoveryCodes } from './recovery-codes';
import { useRefreshFactors, type NewAuthenticator } from './use-factors';

interface Props {
  /** What was begun; null while nothing is. */
  begun: NewAuthenticator | null;
  onClose: () => void;
}

/** Sets an authenticator app up: scan, confirm by a first code, keep the recovery codes. */
export function AuthenticatorDialog({ begun, onClose }: Props) {
  const titleId = useId();
  const [codes, setCodes] = useState<string[] | null>(null);
  // What shows the codes must not go by a stray click, nor may the list behind it be renewed before they are kept.
  const leave = () => {
    setCodes(null);
    onClose();
  };
  return (
    <Dialog open={begun !== null} onClose={codes ? undefined : leave} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      {begun && <Steps titleId={titleId} begun={begun} codes={codes} onCodes={setCodes} onLeave={leave} />}
    </Dialog>
  );
}

interface StepsProps {
  titleId: string;
  begun: NewAuthenticator;
  codes: string[] | null;
  onCodes: (codes: string[]) => void;
  onLeave: () => void;
}

function Steps({ titleId, begun, codes, onCodes, onLeave }: StepsProps) {
  const { t } = useTranslation('identity');
  const refresh = useRefreshFactors();
  const finish = async () => {
    onLeave();
    toast.success(t('app.done'), t('app.doneText'));
    await refresh();
  };
  if (codes) return <RecoveryCodes titleId={titleId} codes={codes} onKept={() => void finish()} />;
  return (
    <AuthenticatorSetup
      titleId={titleId}
      begun={begun}
      onCancel={onLeave}
      onVerified={(made) => (made.length > 0 ? onCodes(made) : void finish())}
    />
  );
}
