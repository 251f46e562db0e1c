import MenuRounded from '@mui/icons-material/MenuRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isMemberOnly, hasNoOwnZones } from '../../shared/account/home-preference';
import type { CurrentUser } from '../../shared/api/current-user';
import { Logo } from '../../shared/public-ui/logo';
import { CurrentPlanBadge } from '../../shared/plan/current-plan-badge';
import { useRefreshPlanOnReturn } from '../../shared/plan/use-refresh-plan-on-return';
import { usePlanAbilities } from '../../shared/plan/use-subscription';
import { BillingGate } from '../../shared/site/billing-gate';
import { layoutSize } from '../theme/tokens';
import { HomePreferenceSwitch } from './home-preference-switch';
import { GlobalSearch } from './global-search';
import { UserMenu } from './user-menu';

interface Props {
  user?: CurrentUser;
  isWide: boolean;
  isDrawerOpen: boolean;
  onOpenDrawer: () => void;
}

/** The bar above the signed-in pages. */
export function TopBar({ user, isWide, isDrawerOpen, onOpenDrawer }: Props) {
  const { t } = useTranslation();
  const { upgrade, manage } = usePlanAbilities();
  // Members without own zones see no plans, and Home is a different page.
  const isMemberOnlyUser = user && isMemberOnly(user);
  // Paying users see their plan, even without a zone.
  const isPlanVisible = user && !user.isReader && (!hasNoOwnZones(user) || manage);
  useRefreshPlanOnReturn();
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: layoutSize.topBar,
        px: { xs: 4, md: 8 },
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        // On phones, the plan and the account menu need its space.
        '& .z-logo .z-badge': { display: { xs: 'none', sm: 'inline-flex' } },
      }}
    >
      {isWide ? (
        !isMemberOnlyUser && (
          <>
            <Button component={Link} to="/home" variant="text" sx={{ ml: -2, color: 'text.secondary' }}>
              {t('nav.home')}
            </Button>
            <BillingGate>
              <Button component={Link} to="/pricing" variant="text" sx={{ color: 'text.secondary' }}>
                {t('nav.pricing')}
              </Button>
            </BillingGate>
          </>
        )
      ) : (
        <>
          <IconButton aria-label={t('nav.open')} aria-expanded={isDrawerOpen} edge="start" onClick={onOpenDrawer}>
            <MenuRounded />
          </IconButton>
          <Logo compact />
        </>
      )}
      <Box sx={{ flex: 1 }} />
      {user && <GlobalSearch isWide={isWide} />}
      {isWide && <Box sx={{ flex: 1 }} />}
      {user && <HomePreferenceSwitch user={user} isWide={isWide} />}
      {isPlanVisible && <CurrentPlanBadge />}
      {isPlanVisible && isWide && upgrade && (
        <Button component={Link} to="/pricing">
          {t('plan.upgrade')}
        </Button>
      )}
      {user && <UserMenu user={user} />}
    </Box>
  );
}
