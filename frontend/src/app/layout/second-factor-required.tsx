import { SecondFactorRequiredPage } from '../../features/settings/factors/second-factor-required.page';
import type { CurrentUser } from '../../shared/api/current-user';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { ReauthenticationPrompt } from './reauthentication-prompt';

/** Replaces every page until an admin has set up the second factor the installation requires. */
export function SecondFactorRequired({ user }: { user: CurrentUser }) {
  return (
    <>
      <PublicFrame>
        <SecondFactorRequiredPage />
      </PublicFrame>
      <ReauthenticationPrompt user={user} />
    </>
  );
}
