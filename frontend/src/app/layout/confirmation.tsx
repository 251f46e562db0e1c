import { Suspense } from 'react';
import type { CurrentUser } from '../../shared/api/current-user';
import { useConfirmationAsked } from '../../shared/identity/confirmation';
import { lazyPage } from '../loading/lazy-page';

const ConfirmationDialog = lazyPage(
  () => import('../../shared/identity/confirmation-dialog').then((m) => m.ConfirmationDialog),
  ['identity'],
);

/** The question who it is; loaded when it is first asked. */
export function Confirmation({ user }: { user: CurrentUser }) {
  const asked = useConfirmationAsked();
  return <Suspense fallback={null}>{asked && <ConfirmationDialog user={user} />}</Suspense>;
}
