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
import { ownsNothing, readsFirst, type FirstPage } from '../../../shared/account/first-page';
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
  also?: string[];
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
const navigation: NavigationEntry[] = [
  { to: '/', label: 'nav.dashboard', icon: DashboardRounded, also: ['/dashboard'] },
  { to: '/zones', label: 'nav.zones', icon: FolderSpecialRounded },
  { to: '/files', label: 'nav.files', icon: FolderCopyRounded },
  { to: '/members', label: 'nav.members', icon: GroupRounded },
  { to: '/campaigns', label: 'nav.campaigns', icon: CampaignRounded, also: ['/email-campaigns'] },
  { to: '/analytics', label: 'nav.analytics', icon: BarChartRounded },
  { to: '/shared-zones', label: 'nav.shared', icon: FolderSharedRounded },
  { to: '/feature-suggestions', label: 'nav.suggestions', icon: LightbulbRounded },
  { to: '/settings', label: 'nav.settings', icon: SettingsRounded },
  { to: '/home', label: 'nav.viewHome', icon: OpenInNewRounded, newTab: true },
];

/** Of these, what people find who have not finished their profile and only read. */
const forReaders = ['/', '/shared-zones', '/settings'];

/** What is about zones of one's own and nothing else: not for who has none. */
const aboutOwnZones = ['/files', '/members', '/campaigns', '/analytics'];

/** What `/` is to who reads. */
const home: NavigationEntry = { to: '/', label: 'nav.home', icon: HomeRounded };

/** What administrators find below it. */
const adminNavigation: NavigationEntry[] = [
  { to: '/admin', label: 'nav.admin', icon: AdminPanelSettingsRounded },
  { to: '/woocommerce-admin', label: 'nav.woocommerce', icon: ShoppingCartRounded },
  { to: '/acedumy-admin', label: 'nav.acedumy', icon: SchoolRounded },
  { to: '/stripe-acedumy-admin', label: 'nav.stripeAcedumy', icon: PaymentsRounded },
];

/** The entries of the sidebar for somebody; for everybody's while it is not known who is there. */
export function navigationFor(user: CurrentUser | null | undefined, page: FirstPage): NavigationEntry[] {
  if (!user) return navigation;
  const [first, ...rest] = navigation;
  const own = [readsFirst(user, page) ? home : first!, ...rest];
  if (user.isReader) return own.filter(({ to }) => forReaders.includes(to));
  const shown = ownsNothing(user) ? own.filter(({ to }) => !aboutOwnZones.includes(to)) : own;
  return isAdmin(user) ? [...shown, ...adminNavigation] : shown;
}

const groupOf: Readonly<Record<string, NavigationGroupName>> = {
  '/': 'start',
  '/zones': 'create',
  '/files': 'create',
  '/members': 'audience',
  '/campaigns': 'audience',
  '/analytics': 'audience',
};

const groupOfEntry = (entry: NavigationEntry): NavigationGroupName =>
  adminNavigation.includes(entry) ? 'administration' : (groupOf[entry.to] ?? 'rest');

/** The same in groups. Whoever has no zones has so few entries that they need none, but for those of administrators. */
export function navigationGroupsFor(user: CurrentUser | null | undefined, page: FirstPage): NavigationGroup[] {
  const isShort = !!user && (user.isReader || ownsNothing(user));
  const groups: NavigationGroup[] = [];
  for (const entry of navigationFor(user, page)) {
    const own = groupOfEntry(entry);
    const name = isShort && own !== 'administration' ? 'start' : own;
    const last = groups.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else groups.push({ name, entries: [entry] });
  }
  return groups;
}

/** Whether the address belongs to the entry: its own page or one below it. */
export function isCurrent(entry: NavigationEntry, pathname: string): boolean {
  const own = [entry.to, ...(entry.also ?? [])];
  return own.some((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
}
