import { Suspense } from 'react';
import type { CurrentUser } from '../../shared/api/current-user';
import { useIsReauthenticationRequested } from '../../shared/reauthentication/reauthentication';
import { lazyPage } from '../loading/lazy-page';

const ReauthenticationDialog = lazyPage(
  () => import('../../shared/reauthentication/reauthentication-dialog').then((m) => m.ReauthenticationDialog),
  ['verification'],
);

/** The reauthentication dialog, loaded on first use. */
export function ReauthenticationPrompt({ user }: { user: CurrentUser }) {
  const isRequested = useIsReauthenticationRequested();
  return <Suspense fallback={null}>{isRequested && <ReauthenticationDialog user={user} />}</Suspense>;
}
