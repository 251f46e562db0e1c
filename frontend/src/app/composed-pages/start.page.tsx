import { DashboardPage } from '../../features/dashboard/dashboard.page';
import { InviteToAnyZone } from '../../features/invitations/invite-to-any-zone';
import { HomePage } from '../../features/shared-zones/home/home.page';
import { hasMemberHome, useHomePreference } from '../../shared/account/home-preference';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the member home, or the dashboard. */
export function StartPage() {
  return hasMemberHome(useSignedInUser(), useHomePreference()) ? <HomePage /> : <Dashboard />;
}

/** `/dashboard`: would be all zeros for users who only read. Users who are both see the page they asked for. */
export function DashboardOrHome() {
  return hasMemberHome(useSignedInUser(), 'creating') ? <HomePage /> : <Dashboard />;
}

function Dashboard() {
  return <DashboardPage inviteAction={<InviteToAnyZone />} />;
}
