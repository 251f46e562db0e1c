import CloseRounded from '@mui/icons-material/CloseRounded';
import KeyboardDoubleArrowLeftRounded from '@mui/icons-material/KeyboardDoubleArrowLeftRounded';
import KeyboardDoubleArrowRightRounded from '@mui/icons-material/KeyboardDoubleArrowRightRounded';
import LogoutRounded from '@mui/icons-material/LogoutRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../../shared/account/home-preference';
import type { CurrentUser } from '../../shared/api/current-user';
import { useSignOut } from '../../shared/api/use-sign-out';
import { displayNameOf } from '../../shared/format/person';
import { Logo, LogoMark } from '../../shared/public-ui/logo';
import { UserAvatar } from '../../shared/ui/user-avatar';
import { layoutSize } from '../theme/tokens';
import { AccountSummary } from './account-summary';
import { NavigationList } from './navigation/navigation-list';

interface Props {
  user?: CurrentUser;
  collapsed?: boolean;
  onCollapse?: (collapsed: boolean) => void;
  onClose?: () => void;
}

/** Navigation, usage and the signed-in user. */
export function Sidebar({ user, collapsed = false, onCollapse, onClose }: Props) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%', overflowY: 'auto' }}>
      <SidebarHeader collapsed={collapsed} onCollapse={onCollapse} onClose={onClose} />
      <NavigationList user={user} collapsed={collapsed} />
      <Box sx={{ flex: 1 }} />
      {user && !user.isReader && !hasNoOwnZones(user) && !collapsed && <AccountSummary />}
      {user && <SignedInUser user={user} collapsed={collapsed} />}
    </Box>
  );
}

function SidebarHeader({ collapsed, onCollapse, onClose }: Omit<Props, 'user'>) {
  const { t } = useTranslation();
  const toggleLabel = collapsed ? t('nav.expand') : t('nav.collapse');
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: collapsed ? 'column' : 'row',
        alignItems: 'center',
        justifyContent: 'space-between',
        minHeight: layoutSize.topBar,
        px: collapsed ? 0 : 4,
        pt: collapsed ? 2 : 0,
      }}
    >
      {collapsed ? (
        <Link to="/" className="z-logo" aria-label={t('nav.dashboard')}>
          <LogoMark />
        </Link>
      ) : (
        <Logo />
      )}
      {onCollapse && (
        <Tooltip title={toggleLabel} placement="right">
          <IconButton aria-label={toggleLabel} aria-expanded={!collapsed} onClick={() => onCollapse(!collapsed)}>
            {collapsed ? <KeyboardDoubleArrowRightRounded /> : <KeyboardDoubleArrowLeftRounded />}
          </IconButton>
        </Tooltip>
      )}
      {onClose && (
        <IconButton aria-label={t('nav.close')} edge="end" onClick={onClose}>
          <CloseRounded />
        </IconButton>
      )}
    </Box>
  );
}

/** Distinguishes people of the same name; an email address shown as the name isn't repeated. */
const accountDetails = (user: CurrentUser) =>
  [user.username && `@${user.username}`, user.email].filter(
    (line): line is string => !!line && line !== displayNameOf(user),
  );

function SignedInUser({ user, collapsed }: { user: CurrentUser; collapsed: boolean }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: collapsed ? 'column' : 'row',
        alignItems: 'center',
        gap: 2,
        px: collapsed ? 0 : 4,
        py: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <UserAvatar person={user} />
      {!collapsed && (
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" noWrap title={displayNameOf(user)}>
            {displayNameOf(user)}
          </Typography>
          {accountDetails(user).map((line) => (
            <Typography key={line} variant="caption" color="textSecondary" noWrap component="p" title={line}>
              {line}
            </Typography>
          ))}
        </Box>
      )}
      <Tooltip title={t('signOut.action')} placement={collapsed ? 'right' : 'top'}>
        <IconButton
          aria-label={t('signOut.action')}
          edge={collapsed ? false : 'end'}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          <LogoutRounded />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
