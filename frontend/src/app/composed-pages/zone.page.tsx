import { InviteButton } from '../../features/invitations/invite-action';
import { ZoneLeaveMenu } from '../../features/shared-zones/components/zone-leave-menu';
import { ZonePage } from '../../features/zones/zone.page';

export function ComposedZonePage() {
  return <ZonePage inviteAction={<InviteButton />} leaveAction={<ZoneLeaveMenu />} />;
}
