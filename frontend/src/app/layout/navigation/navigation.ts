import BarChartRounded from '@mui/icons-material/BarChartRounded';
import AdminPanelSettingsRounded from '@mui/icons-material/AdminPanelSettingsRounded';
import CampaignRounded from '@mui/icons-material/CampaignRounded';
import DashboardRounded from '@mui/icons-material/DashboardRounded';
import FolderCopyRounded from '@mui/icons-material/FolderCopyRounded';
import FolderSharedRounded from '@mui/icons-material/FolderSharedRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import GroupRounded from '@mui/icons-material/GroupRounded';
import HomeRounded from '@mui/icons-material/HomeRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import SettingsRounded from '@mui/icons-material/SettingsRounded';
import ShoppingCartRounded from '@mui/icons-material/ShoppingCartRounded';
import PaymentsRounded from '@mui/icons-material/PaymentsRounded';
import SchoolRounded from '@mui/icons-material/SchoolRounded';
import type { SvgIconComponent } from '@mui/icons-material';
import { hasNoOwnZones, hasMemberHome, type HomePreference } from '../../../shared/account/home-preference';
import { isAdmin, type CurrentUser } from '../../../shared/api/current-user';

export interface NavigationEntry {
  to: string;
  /** Key of its label in the common texts. */
  label: `nav.${
    | 'dashboard'
    | 'zones'
    | 'files'
    | 'members'
    | 'campaigns'
    | 'analytics'
    | 'shared'
    | 'suggestions'
    | 'settings'
    | 'viewHome'
    | 'admin'
    | 'woocommerce'
    | 'acedumy'
    | 'stripeAcedumy'}`;
  icon: SvgIconComponent;
  /** Other paths at which this entry is the current one. */
  otherPaths?: string[];
  /** Leaves the app, so it opens in a new tab. */
  newTab?: boolean;
}

/** The heading of an entry; `rest` and `start` have none. */
export type NavigationGroupName = 'start' | 'create' | 'audience' | 'rest' | 'administration';

export interface NavigationGroup {
  name: NavigationGroupName;
  entries: NavigationEntry[];
}

/** Sidebar entries in order. An entry is listed only once its page exists. */
const mainNavigation: NavigationEntry[] = [
  { to: '/', label: 'nav.dashboard', icon: DashboardRounded, otherPaths: ['/dashboard'] },
  { to: '/zones', label: 'nav.zones', icon: FolderSpecialRounded },
  { to: '/files', label: 'nav.files', icon: FolderCopyRounded },
  { to: '/members', label: 'nav.members', icon: GroupRounded },
  { to: '/campaigns', label: 'nav.campaigns', icon: CampaignRounded, otherPaths: ['/email-campaigns'] },
  { to: '/analytics', label: 'nav.analytics', icon: BarChartRounded },
  { to: '/shared-zones', label: 'nav.shared', icon: FolderSharedRounded },
  { to: '/feature-suggestions', label: 'nav.suggestions', icon: LightbulbRounded },
  { to: '/settings', label: 'nav.settings', icon: SettingsRounded },
  { to: '/home', label: 'nav.viewHome', icon: OpenInNewRounded, newTab: true },
];

/** Entries for users with an incomplete profile (`isReader`). */
const incompleteProfilePaths = ['/', '/shared-zones', '/settings'];

/** Entries about own zones, hidden from users without one. */
const ownerPaths = ['/files', '/members', '/campaigns', '/analytics'];

/** `/` for members without own zones. */
const memberHomeEntry: NavigationEntry = { to: '/', label: 'nav.dashboard', icon: HomeRounded };

/** Additional entries for administrators. */
const adminNavigation: NavigationEntry[] = [
  { to: '/admin', label: 'nav.admin', icon: AdminPanelSettingsRounded },
  { to: '/woocommerce-admin', label: 'nav.woocommerce', icon: ShoppingCartRounded },
  { to: '/acedumy-admin', label: 'nav.acedumy', icon: SchoolRounded },
  { to: '/stripe-acedumy-admin', label: 'nav.stripeAcedumy', icon: PaymentsRounded },
];

/** Sidebar entries for a user; those for everybody while the user is unknown. */
export function getNavigation(user: CurrentUser | null | undefined, preference: HomePreference): NavigationEntry[] {
  if (!user) return mainNavigation;
  const [dashboardEntry, ...rest] = mainNavigation;
  const userEntries = [hasMemberHome(user, preference) ? memberHomeEntry : dashboardEntry!, ...rest];
  if (user.isReader) return userEntries.filter(({ to }) => incompleteProfilePaths.includes(to));
  const visibleEntries = hasNoOwnZones(user) ? userEntries.filter(({ to }) => !ownerPaths.includes(to)) : userEntries;
  return isAdmin(user) ? [...visibleEntries, ...adminNavigation] : visibleEntries;
}

const groupByPath: Readonly<Record<string, NavigationGroupName>> = {
  '/': 'start',
  '/zones': 'create',
  '/files': 'create',
  '/members': 'audience',
  '/campaigns': 'audience',
  '/analytics': 'audience',
};

const getGroupName = (entry: NavigationEntry): NavigationGroupName =>
  adminNavigation.includes(entry) ? 'administration' : (groupByPath[entry.to] ?? 'rest');

/** The same entries in groups. Users without zones have so few entries that only the administration is grouped. */
export function getNavigationGroups(
  user: CurrentUser | null | undefined,
  preference: HomePreference,
): NavigationGroup[] {
  const isUngrouped = !!user && (user.isReader || hasNoOwnZones(user));
  const groups: NavigationGroup[] = [];
  for (const entry of getNavigation(user, preference)) {
    const groupName = getGroupName(entry);
    const name = isUngrouped && groupName !== 'administration' ? 'start' : groupName;
    const last = groups.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else groups.push({ name, entries: [entry] });
  }
  return groups;
}

/** Whether the path is the entry's page or below it. */
export function isActiveEntry(entry: NavigationEntry, pathname: string): boolean {
  const paths = [entry.to, ...(entry.otherPaths ?? [])];
  return paths.some((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
}
