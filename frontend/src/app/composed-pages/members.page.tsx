import { PendingInvitations } from '../../features/invitations/pending-invitations';
import { MembersPage } from '../../features/members/members.page';
import { JoinRequests } from '../../features/zones/components/join-requests';

export function ComposedMembersPage() {
  return <MembersPage requests={<JoinRequests />} invitations={<PendingInvitations />} />;
}
