import { FactorNeededPage } from '../../features/settings/factors/factor-needed.page';
import type { CurrentUser } from '../../shared/api/current-user';
import { PublicFrame } from '../../shared/plain/public-frame';
import { Confirmation } from './confirmation';

/** Stands in the place of every page until an admin has the second factor that the installation asks of them. */
export function FactorNeeded({ user }: { user: CurrentUser }) {
  return (
    <>
      <PublicFrame>
        <FactorNeededPage />
      </PublicFrame>
      <Confirmation user={user} />
    </>
  );
}
