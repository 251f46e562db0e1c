import CreditCardRounded from '@mui/icons-material/CreditCardRounded';
import DashboardRounded from '@mui/icons-material/DashboardRounded';
import HomeRounded from '@mui/icons-material/HomeRounded';
import LogoutRounded from '@mui/icons-material/LogoutRounded';
import SettingsRounded from '@mui/icons-material/SettingsRounded';
import StarRounded from '@mui/icons-material/StarRounded';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones, hasMemberHome, useHomePreference } from '../../shared/account/home-preference';
import type { CurrentUser } from '../../shared/api/current-user';
import { useSignOut } from '../../shared/api/use-sign-out';
import { displayNameOf } from '../../shared/format/person';
import { useManageSubscription } from '../../shared/plan/use-manage-subscription';
import { usePlanAbilities } from '../../shared/plan/use-subscription';
import { UserAvatar } from '../../shared/ui/user-avatar';
import { PreferenceItems } from './preference-items';

/** The avatar with its menu: account, language, colour scheme, sign out. */
export function UserMenu({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const signOut = useSignOut();
  const abilities = usePlanAbilities();
  const manage = useManageSubscription();
  const isMemberHome = hasMemberHome(user, useHomePreference());
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        aria-label={t('account.menu')}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        aria-controls={anchor ? menuId : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
        edge="end"
      >
        <UserAvatar person={user} size={28} />
      </IconButton>
      <Menu
        id={menuId}
        disablePortal
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      >
        <Box component="li" role="presentation" sx={{ px: 2, pt: 1, pb: 2, maxWidth: 280, overflowWrap: 'anywhere' }}>
          <Typography variant="subtitle2">{displayNameOf(user)}</Typography>
          <Typography variant="body2" color="textSecondary">
            {user.email}
          </Typography>
        </Box>
        <Divider component="li" />
        <MenuItem component={Link} to={isMemberHome ? '/' : '/dashboard'} onClick={close}>
          {isMemberHome ? <HomeRounded /> : <DashboardRounded />}
          {t('nav.dashboard')}
        </MenuItem>
        <MenuItem component={Link} to="/settings" onClick={close}>
          <SettingsRounded />
          {t('nav.settings')}
        </MenuItem>
        {abilities.manage && (
          <MenuItem
            disabled={manage.isPending}
            onClick={() => {
              close();
              manage.mutate();
            }}
          >
            <CreditCardRounded />
            {t('plan.manage')}
          </MenuItem>
        )}
        {abilities.upgrade && !hasNoOwnZones(user) && (
          <MenuItem component={Link} to="/pricing" onClick={close}>
            <StarRounded />
            {t('plan.upgrade')}
          </MenuItem>
        )}
        <Divider component="li" />
        <PreferenceItems />
        <Divider component="li" />
        <MenuItem disabled={signOut.isPending} onClick={() => signOut.mutate()}>
          <LogoutRounded />
          {t('signOut.action')}
        </MenuItem>
      </Menu>
    </>
  );
}
