import Dialog from '@mui/material/Dialog';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';
import { AuthenticatorSetup } from './authenticator-setup';
import { RecoveryCodes } from './recovery-codes';
import { useInvalidateFactors, type NewAuthenticator } from './use-factors';

interface Props {
  /** The authenticator being set up; null if none is. */
  authenticator: NewAuthenticator | null;
  onClose: () => void;
}

/** Sets up an authenticator app: scan, confirm with a first code, save the recovery codes. */
export function AuthenticatorDialog({ authenticator, onClose }: Props) {
  const titleId = useId();
  const [codes, setCodes] = useState<string[] | null>(null);
  // A stray click must not close the recovery codes, and the list behind is not refetched before they are saved.
  const close = () => {
    setCodes(null);
    onClose();
  };
  return (
    <Dialog
      open={authenticator !== null}
      onClose={codes ? undefined : close}
      aria-labelledby={titleId}
      maxWidth="xs"
      fullWidth
    >
      {authenticator && (
        <SetupSteps
          titleId={titleId}
          authenticator={authenticator}
          codes={codes}
          onCodesCreated={setCodes}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

interface SetupStepsProps {
  titleId: string;
  authenticator: NewAuthenticator;
  codes: string[] | null;
  onCodesCreated: (codes: string[]) => void;
  onClose: () => void;
}

function SetupSteps({ titleId, authenticator, codes, onCodesCreated, onClose }: SetupStepsProps) {
  const { t } = useTranslation('verification');
  const invalidateFactors = useInvalidateFactors();
  const finish = async () => {
    onClose();
    toast.success(t('app.done'), t('app.doneText'));
    await invalidateFactors();
  };
  if (codes) return <RecoveryCodes titleId={titleId} codes={codes} onSaved={() => void finish()} />;
  return (
    <AuthenticatorSetup
      titleId={titleId}
      authenticator={authenticator}
      onCancel={onClose}
      onVerified={(newCodes) => (newCodes.length > 0 ? onCodesCreated(newCodes) : void finish())}
    />
  );
}
