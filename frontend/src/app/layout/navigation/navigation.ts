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
import { hasNoOwnZones, hasReaderHome, type HomePreference } from '../../../shared/account/home-preference';
import { isAdmin, type CurrentUser } from '../../../shared/api/current-user';

export interface NavigationEntry {
  to: string;
  /** Key of its name in the common texts. */
  label: `nav.${
    | 'dashboard'
    | 'home'
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
  /** Other addresses at which this entry is the current one. */
  otherPaths?: string[];
  /** Leaves the shell, so it opens in a tab of its own. */
  newTab?: boolean;
}

/** Under which heading an entry stands; `rest` and `start` have none. */
export type NavigationGroupName = 'start' | 'create' | 'audience' | 'rest' | 'administration';

export interface NavigationGroup {
  name: NavigationGroupName;
  entries: NavigationEntry[];
}

/** The sidebar, in order. An entry stands here only when its page exists. */
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

/** Of these, what people find who have not finished their profile and only read. */
const readerPaths = ['/', '/shared-zones', '/settings'];

/** What is about zones of one's own and nothing else: not for who has none. */
const ownerPaths = ['/files', '/members', '/campaigns', '/analytics'];

/** What `/` is to who reads. */
const readerHomeEntry: NavigationEntry = { to: '/', label: 'nav.home', icon: HomeRounded };

/** What administrators find below it. */
const adminNavigation: NavigationEntry[] = [
  { to: '/admin', label: 'nav.admin', icon: AdminPanelSettingsRounded },
  { to: '/woocommerce-admin', label: 'nav.woocommerce', icon: ShoppingCartRounded },
  { to: '/acedumy-admin', label: 'nav.acedumy', icon: SchoolRounded },
  { to: '/stripe-acedumy-admin', label: 'nav.stripeAcedumy', icon: PaymentsRounded },
];

/** The entries of the sidebar for somebody; for everybody's while it is not known who is there. */
export function getNavigation(user: CurrentUser | null | undefined, preference: HomePreference): NavigationEntry[] {
  if (!user) return mainNavigation;
  const [dashboardEntry, ...rest] = mainNavigation;
  const userEntries = [hasReaderHome(user, preference) ? readerHomeEntry : dashboardEntry!, ...rest];
  if (user.isReader) return userEntries.filter(({ to }) => readerPaths.includes(to));
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

/** The same in groups. Whoever has no zones has so few entries that they need none, but for those of administrators. */
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

/** Whether the address belongs to the entry: its own page or one below it. */
export function isActiveEntry(entry: NavigationEntry, pathname: string): boolean {
  const paths = [entry.to, ...(entry.otherPaths ?? [])];
  return paths.some((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
}
