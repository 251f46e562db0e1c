import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { inviteTokenStorage } from '../../shared/account/invite-token-storage';
import type { SignedInUser } from '../../shared/api/current-user';
import { loadNewSession } from '../../shared/api/session';
import { toast } from '../../shared/toast/toast-store';

interface SignInCompletionOptions {
  /** The user signs in with a temporary password and must set their own. */
  isTemporaryPassword?: boolean;
  /** Where to go after success; without it the page stays and shows what was requested. */
  destination?: string;
  /** Called just before the user becomes the current user. */
  onSignedIn?: () => void;
}

/** Completes a successful sign-in: sets the current user and navigates to the required or requested page. */
export function useSignInCompletion({ isTemporaryPassword = false, destination, onSignedIn }: SignInCompletionOptions) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  const startSession = async (redirectTo: string | undefined) => {
    onSignedIn?.();
    await loadNewSession(queryClient);
    if (redirectTo !== undefined) await navigate(redirectTo, { replace: true });
  };

  return {
    completeRegistration: () => startSession(destination),
    completeSignIn: (user: SignedInUser) => {
      const setPasswordPath = `/change-password?email=${encodeURIComponent(user.email)}`;
      const inviteToken = inviteTokenStorage.get();
      const invitePath = inviteToken ? `/invite/${encodeURIComponent(inviteToken)}` : undefined;
      if (user.needsProfileCompletion && !user.isReader && !isTemporaryPassword) {
        toast.show({ title: t('login.completeProfile'), message: t('login.completeProfileText') });
        return startSession(invitePath ?? setPasswordPath);
      }
      if (isTemporaryPassword) {
        toast.show({ title: t('login.setPassword'), message: t('login.setPasswordText') });
        return startSession(setPasswordPath);
      }
      toast.success(t('login.welcome'), t('login.welcomeText'));
      return startSession(invitePath ?? destination);
    },
  };
}
