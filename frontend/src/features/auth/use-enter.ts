import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { storedInvite } from '../../shared/account/stored-invite';
import type { SignedInUser } from '../../shared/api/current-user';
import { enterSession } from '../../shared/api/sign-in';
import { toast } from '../../shared/toast/toast-store';

interface Entry {
  /** The person comes with a temporary password and is to set one of their own. */
  temporary?: boolean;
  /** Where to go after success; without it the page stays where it is and shows what was asked for. */
  destination?: string;
  /** Told just before the person becomes the current one. */
  onSignedIn?: () => void;
}

/** What follows a success: the person becomes the current one and is led to where they must or want to go. */
export function useEnter({ temporary = false, destination, onSignedIn }: Entry) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const queries = useQueryClient();

  const enter = async (to: string | undefined) => {
    onSignedIn?.();
    await enterSession(queries);
    if (to !== undefined) await navigate(to, { replace: true });
  };

  return {
    registered: () => enter(destination),
    signedIn: (user: SignedInUser) => {
      const setPassword = `/change-password?email=${encodeURIComponent(user.email)}`;
      const invite = storedInvite.get();
      const toInvite = invite ? `/invite/${encodeURIComponent(invite)}` : undefined;
      if (user.needsProfileCompletion && !user.isReader && !temporary) {
        toast.show({ title: t('login.completeProfile'), message: t('login.completeProfileText') });
        return enter(toInvite ?? setPassword);
      }
      if (temporary) {
        toast.show({ title: t('login.setPassword'), message: t('login.setPasswordText') });
        return enter(setPassword);
      }
      toast.success(t('login.welcome'), t('login.welcomeText'));
      return enter(toInvite ?? destination);
    },
  };
}
