import { SecondFactorRequiredPage } from '../../features/settings/factors/second-factor-required.page';
import type { CurrentUser } from '../../shared/api/current-user';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { ReauthenticationPrompt } from './reauthentication-prompt';

/** Stands in the place of every page until an admin has the second factor that the installation asks of them. */
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
